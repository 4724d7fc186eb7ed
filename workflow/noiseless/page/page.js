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

  /* "Fig. 3", "fig 3" and "Figure 3" are one place, in the reader's words and in the claims. */
  // A filter is called `dataset`, which hides the property of that name.
  const spellings = JSON.parse(form.getAttribute("data-spellings"));
  const kinds = Object.keys(spellings).sort((one, other) => other.length - one.length).join("|");
  const kind = new RegExp(`\\b(${kinds})\\b\\.?`, "g");
  const numbered = new RegExp(`\\b(${kinds})(?:\\.?\\s*(?=\\d)|\\.?\\s+)((?:\\d+|[ivx]+|[a-z])(?:\\.[a-z0-9]+)*[a-z]?)(?![\\w.])`, "g");
  const spellOut = (text) => text.toLowerCase().replace(kind, (_, word) => spellings[word]);

  function parseWords(text) {
    const places = [];
    const rest = text.toLowerCase().replace(numbered, (_, word, number) => {
      places.push(`${spellings[word]} ${number}`);
      return " ";
    });
    return { places, words: spellOut(rest).split(/[\s,;]+/).filter(Boolean) };
  }

  // What a statement quotes stands once, above its claims.
  const texts = new Map(
    claims.map((claim) => {
      const quote = claim.closest(".statement")?.querySelector(".quote");
      return [claim, spellOut(`${claim.textContent} ${quote?.textContent ?? ""}`)];
    }),
  );

  function filter() {
    const wanted = new FormData(form);
    const { places, words } = parseWords(wanted.get("words"));
    // A claim may rest on several datasets, and on real ones and samples.
    const has = (claim, key) =>
      !wanted.get(key) || claim.dataset[key].split("+").includes(wanted.get(key));
    for (const claim of claims) {
      claim.hidden = !(
        ["paper", "where", "statement", "verdict", "tier", "dataset"].every((key) => has(claim, key)) &&
        places.every((place) => claim.dataset.where.split("+").includes(place)) &&
        words.every((word) => texts.get(claim).includes(word))
      );
    }
    const shown = claims.filter((claim) => !claim.hidden).length;
    const everything = shown === claims.length;
    for (const group of all(".reading, .ours, .paper, .statement")) {
      group.hidden = !everything && !all(".claim:not([hidden])", group).length;
    }
    for (const each of all(".paper, .statement")) each.open = !everything && !each.hidden;
    document.getElementById("shown").value = `${shown} of ${claims.length} claims`;
  }

  /* Only places that the chosen paper has can be chosen. */
  function offerPlaces() {
    for (const option of all("[name=where] option[value]:not([value=''])", form)) {
      const paper = form.elements.paper.value;
      option.hidden = Boolean(paper) && !option.dataset.papers.split(" ").includes(paper);
      option.disabled = option.hidden;
    }
    for (const group of all("[name=where] optgroup", form)) {
      group.hidden = !all("option:not([hidden])", group).length;
    }
    const where = form.elements.where;
    if (where.selectedOptions[0]?.disabled) where.value = "";
  }

  function filterByReader() {
    offerPlaces();
    filter();
    setAddress(new URLSearchParams([...new FormData(form)].filter(([, value]) => value)));
  }

  /* Set all filters, from an address for instance; what it does not name is shown. */
  function setFilters(wanted) {
    for (const control of form.elements) {
      if (control.name) control.value = wanted.get(control.name) ?? "";
      if (control.selectedIndex === -1) control.selectedIndex = 0;
    }
    offerPlaces();
    filter();
  }

  form.addEventListener("input", filterByReader);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filterByReader));

  /* Arrows beside a row of thumbnails, for a mouse; a finger or the Tab key moves it anyway. */
  for (const arrows of all(".arrows")) {
    const strip = arrows.parentElement.querySelector(".strip");
    const show = () => (arrows.hidden = strip.scrollWidth <= strip.clientWidth);
    arrows.addEventListener("click", ({ target }) => {
      const way = Number(target.dataset?.way ?? 0);
      strip.scrollBy({ left: way * 0.8 * strip.clientWidth, behavior: "smooth" });
    });
    new ResizeObserver(show).observe(strip);
  }

  /* Show what the address names, and open all that it stands in. */
  function follow() {
    const [name, filters] = location.hash.slice(1).split(/:(.*)/s);
    const target = document.getElementById(name);
    if (!target) return;
    if (name === "ledger" && filters !== undefined) setFilters(new URLSearchParams(filters));
    if (target.closest("[hidden]")) setFilters(new URLSearchParams());
    for (const thumb of all(".thumb")) {
      if (thumb.hash === location.hash) thumb.setAttribute("aria-current", "true");
      else thumb.removeAttribute("aria-current");
    }
    for (let each = target; each; each = each.parentElement) if (each.matches("details")) each.open = true;
    target.scrollIntoView();
  }

  addEventListener("hashchange", follow);
  follow();
})();
