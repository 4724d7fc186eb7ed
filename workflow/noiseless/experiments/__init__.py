"""One module per experiment: parameters in, tidy table out.  Nothing here touches a file."""
