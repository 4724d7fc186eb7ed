"use strict";
/* The panel of the charts: a question, its choices, the answer, the drawing, the numbers. */

const SCROLLS = "\u2194 Wider than the screen: move it sideways, or open it in full size.";
const SAMPLE_WARNING =
  "SAMPLE DATA, made up by a program in the format of the real data: this says nothing about " +
  "real people.";

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function scrolling(label) {
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label });
}

/* A labelled choice among options of any kind; `change` is called with the chosen one. */
function select(name, label, options, nameOf, chosen, change) {
  const control = element("select", { name });
  options.forEach((option, i) => control.append(element("option", { value: i }, nameOf(option))));
  control.selectedIndex = options.indexOf(chosen);
  control.addEventListener("change", () => change(options[control.selectedIndex]));
  return element("label", {}, label, control);
}

/* Everything that the drawing shows, as a table. */
function numbersTable(chart) {
  const intervals = chart.rows.some((row) => row.low !== null);
  const show = (value) =>
    value === null ? "\u2013" : value === "inf" ? "unlimited" : String(SHORT(value));
  const head = [chart.x.label, chart.series?.label, chart.measure().label];
  if (intervals) head.push("from", "to");
  const rowOf = (cells, name, attributes) =>
    element(
      "tr",
      {},
      ...cells
        .filter((cell) => cell !== undefined)
        .map((cell) => element(name, attributes, cell)),
    );
  const body = element("tbody");
  for (const line of chart.lines.filter((each) => chart.shown.has(each))) {
    for (const row of chart.rowsOf(line)) {
      const place = chart.isFlat(line) ? "any" : chart.placeLabel(row[chart.x.column]);
      const name = chart.series ? chart.nameOf(chart.series.column, line) : undefined;
      const ends = intervals ? [show(row.low), show(row.high)] : [];
      body.append(rowOf([place, name, show(row.value), ...ends], "td"));
    }
  }
  return element("table", {}, element("thead", {}, rowOf(head, "th", { scope: "col" })), body);
}

/* `changed` is called after each choice of the reader's. */
class ChartPanel {
  constructor(root, { charts, links, papers }, changed) {
    this.links = links;
    this.changed = changed;
    this.models = new Map(charts.map((each) => [each.key, new ChartModel(each)]));
    [this.chart] = this.models.values();
    this.question = element("select", { name: "question" });
    for (const paper of new Set(charts.map((each) => each.paper))) {
      const options = charts
        .filter((each) => each.paper === paper)
        .map((each) => element("option", { value: each.key }, each.title));
      this.question.append(element("optgroup", { label: papers[paper] ?? paper }, ...options));
    }
    this.question.addEventListener("change", () => {
      this.chart = this.models.get(this.question.value);
      this.build();
      this.changed();
    });
    this.body = element("div", { class: "panel" });
    root.append(element("label", {}, "Question", this.question), this.body);
    this.place = element("div");
    this.plot = element("div", { class: "plot" });
    this.answer = element("div", { class: "answer", "aria-live": "polite" });
    this.numbers = scrolling("Numbers of the chart");
    const summary = element("summary", {}, "These numbers as a table");
    this.details = element("details", {}, summary, this.numbers);
    this.details.addEventListener("toggle", () => this.fillNumbers());
    this.sources = element("p", { class: "soft" });
    this.build();
    new ResizeObserver(() => this.draw()).observe(this.plot);
  }

  /* All controls of the chosen chart. */
  build() {
    const { chart } = this;
    const choices = chart.choices.map(({ column, label }) =>
      select(
        column,
        label,
        chart.optionsOf(column),
        (value) => chart.nameOf(column, value),
        chart.picks[column],
        (value) => {
          chart.choose(column, value);
          this.build();
          this.update();
          this.body.querySelector(`[name="${column}"]`).focus();
        },
      ),
    );
    const fixed = chart.fixed.map(
      ({ column, label }) => `${label}: ${chart.nameOf(column, chart.options[column][0])}.`,
    );
    this.body.replaceChildren(
      element(
        "div",
        { class: "asked" },
        element("div", { class: "choices" }, ...choices, this.place),
        ...(fixed.length ? [element("p", { class: "soft" }, fixed.join(" "))] : []),
        this.answer,
      ),
      element("div", { class: "drawn" }, this.plot, ...this.legend(), this.details, this.sources),
      element("p", { class: "about" }, unbroken(chart.about)),
    );
    this.question.value = chart.key;
    this.update(false);
  }

  /* The names of the lines, with boxes to tick. */
  legend() {
    const { chart } = this;
    if (!chart.series) return [];
    const names = chart.lines.map((line, i) => {
      const box = element("input", { type: "checkbox", name: "show", value: line });
      box.checked = chart.shown.has(line);
      box.addEventListener("change", () => {
        chart.shown[box.checked ? "add" : "delete"](line);
        this.update();
      });
      const name = chart.nameOf(chart.series.column, line);
      const twin = chart.twinOf(line);
      const same =
        twin === undefined ? "" : ` (on the line of: ${chart.nameOf(chart.series.column, twin)})`;
      const said = element("span", {}, name + same);
      return element("label", { class: "tick" }, box, lineSwatch(chart, i), said);
    });
    if (chart.reference) {
      names.push(element("span", { class: "tick" }, referenceSwatch(), chart.reference.name));
    }
    return [element("fieldset", {}, element("legend", {}, chart.series.label), ...names)];
  }

  /* After a choice that may have changed the places along the bottom. */
  update(tell = true) {
    const { chart } = this;
    const places = chart.choosable();
    if (!places.includes(chart.picked)) [chart.picked] = places;
    const label = (place) => chart.placeLabel(place);
    this.place.replaceChildren(
      select("at", chart.x.label, places, label, chart.picked, (place) => this.pick(place)),
    );
    this.show(tell);
  }

  pick(place) {
    this.chart.picked = place;
    this.place.querySelector("select").selectedIndex = this.chart.choosable().indexOf(place);
    this.show();
  }

  /* The drawing, the answer and the numbers of what is chosen. */
  show(tell = true) {
    const { chart } = this;
    const said = chart.answers();
    const used = chart.usedSources();
    const warning = used.some((source) => source.sample)
      ? [element("p", { class: "warning" }, SAMPLE_WARNING)]
      : [];
    this.answer.replaceChildren(...said.map((text) => element("p", {}, text)), ...warning);
    const tables = used.map(({ table, dataset, tier, sample }) => [
      table,
      dataset === "-" ? "no data" : `${dataset}, ${sample ? "SAMPLE" : tier}`,
    ]);
    const names = tables.flatMap(([table, data], i) => {
      const link = this.links[table];
      const name = link ? element("a", { href: link }, table) : table;
      return [i ? ", " : "From: ", name, ` (${data})`];
    });
    this.sources.replaceChildren(...names);
    this.draw();
    this.fillNumbers();
    if (tell) this.changed();
  }

  fillNumbers() {
    this.numbers.replaceChildren(...(this.details.open ? [numbersTable(this.chart)] : []));
  }

  draw() {
    const width = Math.floor(this.plot.clientWidth);
    if (!width) return;
    this.plot.replaceChildren(drawing(this.chart, width, (place) => this.pick(place)));
  }

  /* The reader's choices, for an address. */
  choices() {
    const { chart } = this;
    const chosen = new URLSearchParams({ question: chart.key });
    for (const { column } of chart.choices) chosen.set(column, chart.picks[column]);
    chosen.set("at", chart.picked);
    // A name may hold the sign between names.
    const written = (line) => String(line).replaceAll("%", "%25").replaceAll("|", "%7C");
    if (chart.series) chosen.set("show", [...chart.shown].map(written).join("|"));
    return chosen;
  }

  /* Take choices from an address; what does not fit is left as it is. */
  choose(wanted) {
    this.chart = this.models.get(wanted.get("question")) ?? this.chart;
    const { chart } = this;
    const find = (options, text) => options.find((option) => String(option) === text);
    for (const { column } of chart.choices) {
      chart.choose(
        column,
        find(chart.optionsOf(column), wanted.get(column)) ?? chart.picks[column],
      );
    }
    if (chart.series && wanted.has("show")) {
      const read = (name) => name.replaceAll("%7C", "|").replaceAll("%25", "%");
      const names = wanted.get("show").split("|").map(read);
      chart.shown = new Set(chart.lines.filter((line) => names.includes(String(line))));
    }
    chart.picked = find(chart.choosable(), wanted.get("at")) ?? chart.picked;
    this.build();
  }
}
