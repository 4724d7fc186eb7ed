"use strict";
/* The filters of the ledger, and the address: #ask:... holds the choices of the chart, #ledger:...
   those of the filters, so that a link leads to what its sender saw. */

(() => {
  const form = document.getElementById("filters");
  const claims = [...document.querySelectorAll("article.claim")];
  const texts = new Map(claims.map((claim) => [claim, claim.textContent.toLowerCase()]));

  function setAddress(section, choices) {
    const text = choices.toString();
    // A page inside another one may not have its own address.
    try {
      history.replaceState(null, "", text ? `#${section}:${text}` : `#${section}`);
    } catch {
      /* The choices hold all the same. */
    }
  }

  function filter() {
    const wanted = new FormData(form);
    const words = wanted.get("words").toLowerCase().split(/\s+/).filter(Boolean);
    // A claim may rest on several datasets, and on real ones and samples.
    const has = (claim, key) =>
      !wanted.get(key) || claim.dataset[key].split("+").includes(wanted.get(key));
    for (const claim of claims) {
      claim.hidden = !(
        ["paper", "verdict", "tier", "dataset"].every((key) => has(claim, key)) &&
        words.every((word) => texts.get(claim).includes(word))
      );
    }
    const shown = claims.filter((claim) => !claim.hidden).length;
    const all = shown === claims.length;
    // The list of claims that did not come out as printed, and the errata, follow the filters.
    for (const item of document.querySelectorAll("[data-claim]")) {
      item.hidden = document.getElementById(item.dataset.claim).hidden;
    }
    for (const list of document.querySelectorAll(".counted")) {
      const [items, there] = ["[data-claim]", "[data-claim]:not([hidden])"].map(
        (items) => list.querySelectorAll(items).length,
      );
      list.querySelector("output").value = all ? `${items}` : `${there} of ${items}`;
    }
    for (const group of document.querySelectorAll(".by-paper")) {
      group.hidden = !group.querySelector("[data-claim]:not([hidden])");
    }
    for (const group of document.querySelectorAll(".group, .paper")) {
      group.hidden = !all && !group.querySelector("article.claim:not([hidden])");
    }
    for (const figures of document.querySelectorAll(".further")) figures.hidden = !all;
    document.getElementById("shown").value = `${shown} of ${claims.length} claims`;
  }

  function filterByReader() {
    filter();
    const set = [...new FormData(form)].filter(([, value]) => value);
    setAddress("ledger", new URLSearchParams(set));
  }

  /* Set all filters, from an address for instance; what it does not name is shown. */
  function setFilters(wanted) {
    for (const control of form.elements) {
      if (control.name) control.value = wanted.get(control.name) ?? "";
      if (control.selectedIndex === -1) control.selectedIndex = 0;
    }
    filter();
  }

  form.addEventListener("input", filterByReader);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filterByReader));

  const root = document.getElementById("chart");
  const data = JSON.parse(document.getElementById("chart-data").textContent);
  const panel = root && new ChartPanel(root, data, () => setAddress("ask", panel.choices()));

  /* Show what the address names. */
  function follow() {
    const [name, choices] = location.hash.slice(1).split(/:(.*)/s);
    const target = document.getElementById(name);
    if (!target) return;
    if (choices !== undefined) {
      const wanted = new URLSearchParams(choices);
      if (name === "ask" && panel) panel.choose(wanted);
      if (name === "ledger") setFilters(wanted);
    }
    if (target.closest("[hidden]")) setFilters(new URLSearchParams());
    const details = target.matches("details") ? target : target.querySelector(":scope > details");
    if (details) details.open = true;
    setTimeout(() => target.scrollIntoView());
  }

  /* Say of a picture that is wider than its frame that it moves. */
  const cue = new ResizeObserver((frames) => {
    for (const { target } of frames) {
      target.nextElementSibling.hidden = target.scrollWidth <= target.clientWidth + 1;
    }
  });
  for (const frame of document.querySelectorAll(".picture")) {
    const hint = element("p", { class: "scrolls" }, SCROLLS);
    hint.hidden = true;
    frame.after(hint);
    cue.observe(frame);
  }

  addEventListener("hashchange", follow);
  follow();
})();
