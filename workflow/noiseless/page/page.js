"use strict";
/* The ledger's filters, the charts, and the address: #ledger:... holds the filters, #ask-<chart>:...
   the choices of a chart, so that a link leads to what its sender saw. */

(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  function setAddress(section, choices) {
    // A page inside another one may not have its own address.
    try {
      history.replaceState(null, "", `#${section}${choices.size ? `:${choices}` : ""}`);
    } catch {
      /* The choices hold all the same. */
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
    setAddress("ledger", new URLSearchParams([...new FormData(form)].filter(([, value]) => value)));
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

  /* The sentences of a chart. */
  const SAMPLE =
    "SAMPLE DATA, made up by a program in the format of the real data: this says nothing about " +
    "real people.";
  const NO_NUMBER = "The table has no number for this choice.";
  const short = (value) => Number(value.toPrecision(3));
  const count = (value) => Math.round(value).toLocaleString("en");
  const FORMATS = {
    count,
    number: (value) => (Math.abs(value) >= 1000 ? count(value) : String(short(value))),
    percent: (value) =>
      value < 1 && short(100 * value) === 100 ? "almost 100\u00a0%" : `${short(100 * value)}\u00a0%`,
    games: (value) => {
      const won = 50 * (1 + value);
      return value < 1 && short(won) === 100 ? "almost 100" : String(short(won));
    },
  };

  function sentence(template, row) {
    const text = template.replace(/{(\w+)(?::(\w+))?}/g, (_, name, form) => {
      const value = row[name];
      if (value === null) return "unknown";
      return value === "inf" ? "unlimited" : form ? FORMATS[form](value) : value;
    });
    // "1 nats" is "1 nat".
    const counted = /(^|[^\d.,])1 (nat|home|report|answer)s\b/g;
    return (text[0].toUpperCase() + text.slice(1)).replace(counted, "$11 $2");
  }

  /* Draw a chart, with the choices of an address where there are any. */
  async function draw(details, wanted) {
    const chart = JSON.parse(details.querySelector("script").textContent);
    const columns = Object.entries(chart.columns);
    const rows = chart.columns.at.at.map((_, i) =>
      Object.fromEntries(columns.map(([name, { of, at }]) => [name, of[at[i]]])),
    );
    const answer = details.querySelector(".answer");
    const { view } = await vegaEmbed(
      details.querySelector(".plot"),
      { ...chart.spec, datasets: { rows } },
      // Expressions are interpreted, so that no text of the page is ever run as code.
      {
        ...{ ast: true, renderer: "svg", actions: false, defaultStyle: false, tooltip: false },
        bind: details.querySelector(".choices"),
      },
    );
    function say() {
      const cell = rows.filter((row) =>
        chart.picks.every((name) => row[name] === view.signal(`pick_${name}`)),
      );
      const said = cell
        .filter((row) => row.value !== null || chart.empty)
        .map((row) => sentence(row.value === null ? chart.empty : chart.says, row));
      const lines = said.length ? [...new Set(said)] : [NO_NUMBER];
      if (cell.some((row) => row.sample)) lines.push(SAMPLE);
      answer.replaceChildren(
        ...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })),
      );
    }
    function choose(choices) {
      for (const name of chart.picks) {
        const value = choices.get(name);
        if (chart.columns[name].of.includes(value)) view.signal(`pick_${name}`, value);
      }
      view.runAsync();
    }
    for (const name of chart.picks) {
      view.addSignalListener(`pick_${name}`, () => {
        say();
        const picked = chart.picks.map((each) => [each, view.signal(`pick_${each}`)]);
        setAddress(details.id, new URLSearchParams(picked));
      });
    }
    view.addEventListener("click", (_, item) => {
      if (item?.datum?.at) choose(new Map([["at", item.datum.at]]));
    });
    say();
    return choose;
  }

  const charts = new Map();
  function open(details) {
    if (!charts.has(details.id)) charts.set(details.id, draw(details));
    return charts.get(details.id);
  }
  for (const details of all(".ask")) {
    details.addEventListener("toggle", () => details.open && open(details));
  }

  /* Show what the address names, and open all that it stands in. */
  async function follow() {
    const [name, choices] = location.hash.slice(1).split(/:(.*)/s);
    const target = document.getElementById(name);
    if (!target) return;
    if (name === "ledger" && choices !== undefined) setFilters(new URLSearchParams(choices));
    if (target.closest("[hidden]")) setFilters(new URLSearchParams());
    for (let each = target; each; each = each.parentElement) if (each.matches("details")) each.open = true;
    if (target.matches(".ask")) (await open(target))(new URLSearchParams(choices));
    target.scrollIntoView();
  }

  addEventListener("hashchange", follow);
  follow();
})();
