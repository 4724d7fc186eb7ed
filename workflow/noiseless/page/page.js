"use strict";
/* The ledger's filters, and the address: #ledger:... holds the filters, so that a link leads to what
   its sender saw. */

(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  function setAddress(filters) {
    // A page inside another one may not have its own address.
    try {
      history.replaceState(null, "", `#ledger${filters.size ? `:${filters}` : ""}`);
    } catch {
      /* The filters hold all the same. */
    }
  }

  /* The ledger: claims that the filters leave, in papers that are open where some are left. */
  const form = document.getElementById("filters");
  const claims = all(".claim");
  const texts = new Map(claims.map((claim) => [claim, claim.textContent.toLowerCase()]));

  function filter() {
    const wanted = new FormData(form);
    const words = wanted.get("words").toLowerCase().split(/\s+/).filter(Boolean);
    // A claim may rest on several datasets, and on real ones and samples.
    const has = (claim, key) =>
      !wanted.get(key) || claim.dataset[key].split("+").includes(wanted.get(key));
    for (const claim of claims) {
      claim.hidden = !(
        ["paper", "statement", "verdict", "tier", "dataset"].every((key) => has(claim, key)) &&
        words.every((word) => texts.get(claim).includes(word))
      );
    }
    const shown = claims.filter((claim) => !claim.hidden).length;
    const everything = shown === claims.length;
    for (const group of all(".group, .paper, .statement")) {
      group.hidden = !everything && !all(".claim:not([hidden])", group).length;
    }
    for (const each of all(".paper, .statement")) each.open = !everything && !each.hidden;
    document.getElementById("shown").value = `${shown} of ${claims.length} claims`;
  }

  function filterByReader() {
    filter();
    setAddress(new URLSearchParams([...new FormData(form)].filter(([, value]) => value)));
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

  /* Show what the address names, and open all that it stands in. */
  function follow() {
    const [name, filters] = location.hash.slice(1).split(/:(.*)/s);
    const target = document.getElementById(name);
    if (!target) return;
    if (name === "ledger" && filters !== undefined) setFilters(new URLSearchParams(filters));
    if (target.closest("[hidden]")) setFilters(new URLSearchParams());
    for (let each = target; each; each = each.parentElement) if (each.matches("details")) each.open = true;
    target.scrollIntoView();
  }

  addEventListener("hashchange", follow);
  follow();
})();
