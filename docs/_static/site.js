// What scrolls can be reached by the keyboard, and the theme's landmarks have names of their own.
addEventListener("DOMContentLoaded", () => {
  for (const each of document.querySelectorAll("pre, .table-wrapper, .formula")) {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
  }
  const names = { ".sidebar-drawer": "Pages", ".toc-drawer": "On this page" };
  for (const [place, name] of Object.entries(names)) {
    document.querySelector(place)?.setAttribute("aria-label", name);
  }
  for (const each of document.querySelectorAll(".caption[role=heading]")) each.ariaLevel = "2";
  const icons = document.querySelector(".content-icon-container");
  icons?.setAttribute("role", "navigation");
  icons?.setAttribute("aria-label", "This page");
});
