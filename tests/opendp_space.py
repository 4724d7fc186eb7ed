"""One real number and its distance, in the terms of OpenDP."""

import opendp.prelude as dp

dp.enable_features("contrib")
SPACE = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
