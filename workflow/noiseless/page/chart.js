"use strict";
/* Any chart of noiseless/page/charts.py: controls, an SVG drawing, the answer in words, the numbers.
   A chart's rows are the cells of its tables; the reader's choices leave one row for each line and
   place along the bottom. */

const SVG = "http://www.w3.org/2000/svg";
const MARKERS = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
  "M-3.5 -3.5h7v7h-7z",
  "M0 -4.8l4.4 8h-8.8z",
  "M0 -5l4.2 5l-4.2 5l-4.2 -5z",
  "M0 4.8l4.4 -8h-8.8z",
  "M-1.4 -4.5h2.8v3.1h3.1v2.8h-3.1v3.1h-2.8v-3.1h-3.1v-2.8h3.1z",
];
const COLOURS = 6; // --line-0 to --line-5 in the style sheet
const MOST_BARS = 16; // places along the bottom; more than these have a band, not bars
const SHORT = (value) => Number(value.toPrecision(3));
const FORMATS = {
  number: (value) =>
    Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(SHORT(value)),
  percent: (value) =>
    value < 1 && SHORT(100 * value) === 100 ? "almost 100 %" : `${SHORT(100 * value)} %`,
  games: (value, row) => {
    const won = 50 * (1 + value);
    const digits = [row.games < 2000 ? 0 : 1, 1].find((each) => won === 100 || won.toFixed(each) < 100);
    return digits === undefined ? "almost 100" : won.toFixed(digits);
  },
  count: (value) => value.toLocaleString("en"),
};

/* A percent sign stays on the line of its number. */
const unbroken = (text) => text.replaceAll(" %", "\u00a0%");

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/* The inverse of `packed` in chart.py. */
function unpacked(columns) {
  const names = Object.keys(columns);
  const length = Math.max(1, ...names.map((name) => (columns[name].all ?? columns[name].at ?? []).length));
  return Array.from({ length }, (_, i) =>
    Object.fromEntries(names.map((name) => {
      const { same, all, of, at } = columns[name];
      return [name, all ? all[i] : at ? of[at[i]] : same];
    })));
}

const numeric = (value) => (value === "inf" ? Infinity : value === "-inf" ? -Infinity : value);

class ChartModel {
  constructor(description) {
    Object.assign(this, description);
    this.rows = unpacked(description.columns);
    const statistic = this.options.statistic;
    const names = Object.fromEntries(this.measures.map((each) => [each.statistic, each.name]));
    this.choices = this.choices
      .map((each) => (each.column === "statistic" ? { ...each, names: { ...names, ...each.names } } : each))
      .filter((each) => this.options[each.column].length > 1);
    this.lines = this.series ? this.options[this.series.column] : [null];
    this.picks = {};
    for (const each of [...description.choices, { column: "statistic", first: statistic[0] }]) {
      if (this.series?.column === each.column || each.column in this.picks) continue;
      const options = this.options[each.column];
      this.picks[each.column] = options.includes(each.first) ? each.first : options[0];
    }
    this.shown = new Set(this.lines.filter((line) => !this.series?.hidden.includes(line)));
    this.picked = this.places().includes(this.picked) ? this.picked : this.places()[0];
  }

  isControl(line) {
    return Boolean(this.series?.controls.includes(line));
  }

  /* Rows of a line under the reader's choices. A control stays where its table does not tell it
     apart by a choice. */
  rowsOf(line) {
    const own = this.series ? this.rows.filter((row) => row[this.series.column] === line) : this.rows;
    const binding = Object.entries(this.picks).filter(
      ([column, value]) => !this.isControl(line) || own.some((row) => row[column] === value));
    const order = this.options[this.x.column];
    return own
      .filter((row) => binding.every(([column, value]) => row[column] === value))
      .sort((a, b) => order.indexOf(a[this.x.column]) - order.indexOf(b[this.x.column]));
  }

  /* A control that was measured once holds all along the bottom. */
  isFlat(line) {
    return this.isControl(line) && new Set(this.rowsOf(line).map((row) => row[this.x.column])).size === 1;
  }

  /* Places along the bottom, in order. */
  places() {
    const there = new Set();
    for (const line of this.lines) {
      if (this.isFlat(line)) continue;
      for (const row of this.rowsOf(line)) there.add(row[this.x.column]);
    }
    return this.options[this.x.column].filter((place) => there.has(place));
  }

  /* What a value of a column is called. */
  nameOf(column, value) {
    if (value === null || value === undefined) return "unknown";
    if (column === this.x.column) {
      if (value === "inf") return this.x.infinite;
      return this.x.says.replace("{}", typeof value === "number" ? FORMATS.number(value) : value);
    }
    for (const each of [this.series, ...this.choices]) {
      if (each?.column === column && value in each.names) return each.names[value];
    }
    if (column === "statistic") return this.measures.find((each) => each.statistic === value).name;
    return typeof value === "number" ? value.toLocaleString("en") : String(value).replaceAll("_", " ");
  }

  measure() {
    return this.measures.find((each) => each.statistic === this.picks.statistic) ?? this.measures[0];
  }

  /* Rows of all shown lines at the picked place. */
  cell() {
    const x = this.x.column;
    return this.lines.filter((line) => this.shown.has(line)).flatMap((line) => {
      const row = this.rowsOf(line).find((each) => this.isFlat(line) || each[x] === this.picked);
      return row && row.value !== null ? [{ ...row, [x]: this.picked, line }] : [];
    });
  }

  inWords(row) {
    const text = this.sentence.replace(/{(\w+)(?::(\w+))?}/g, (_, name, form) => {
      const value = numeric(row[name]);
      if (!form || value === null || value === undefined) return this.nameOf(name, row[name]);
      return Number.isFinite(value) ? FORMATS[form](value, row) : "unlimited";
    });
    return unbroken(text[0].toUpperCase() + text.slice(1));
  }

  /* The answer: sentences about the best shown line, or about each. */
  answers() {
    const cell = this.cell();
    if (!this.best) return cell.map((row) => this.inWords(row));
    const able = cell.filter((row) => !this.isControl(row.line));
    if (!able.length) return [];
    const best = able.reduce((a, b) => (b.value > a.value ? b : a));
    const { baseline, above, within, below } = this.best;
    const verdict = best.low > baseline ? above : best.high < baseline ? below : within;
    return [`${this.inWords(best)} ${verdict}`];
  }

  /* The tables of what is shown. */
  usedSources() {
    const used = new Set(this.lines.flatMap((line) => this.rowsOf(line).map((row) => row.source)));
    return this.sources.filter((_, i) => used.has(i));
  }
}

function niceSteps(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((each) => each * power >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)));
}

function logSteps(low, high) {
  const from = Math.floor(Math.log10(low)), to = Math.ceil(Math.log10(high));
  const digits = to - from <= 2 ? [1, 2, 5] : [1];
  const steps = [];
  for (let power = from; power <= to; power += 1)
    for (const digit of digits) steps.push(Number(`${digit}e${power}`));
  return steps.filter((each) => each >= low * 0.999 && each <= high * 1.001);
}

/* Where a value lies between two ends, and its ticks; from tick to tick if they are to be round. */
function scale(values, { log, round = false }, [from, to], count) {
  let low = Math.min(...values), high = Math.max(...values);
  if (low === high) { low -= log ? low / 2 : 1; high += log ? high : 1; }
  if (round && !log) {
    const [first, second] = niceSteps(low, high, count);
    const step = second - first;
    low = Math.floor(low / step + 1e-9) * step;
    high = Math.ceil(high / step - 1e-9) * step;
  }
  const at = log ? Math.log10 : (value) => value;
  const place = (value) => from + ((at(value) - at(low)) / (at(high) - at(low))) * (to - from);
  return { place, steps: log ? logSteps(low, high) : niceSteps(low, high, count) };
}

function drawing(chart, width, pick) {
  const height = width < 560 ? 300 : 380;
  const svg = shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  const { x, baseline = chart.best?.baseline } = chart;
  const measure = chart.measure();
  svg.setAttribute("aria-label", `${chart.title} ${measure.label} against ${x.label}. The numbers are in the table below.`);
  const lines = chart.lines
    .map((line, i) => ({ line, i, control: chart.isControl(line), flat: chart.isFlat(line), rows: chart.rowsOf(line) }))
    .filter(({ line, rows }) => chart.shown.has(line) && rows.length);
  const usable = (value) => value !== null && Number.isFinite(numeric(value)) && !(measure.log && value <= 0);
  const heights = lines.flatMap(({ rows }) => rows.flatMap((row) => [row.value, row.low, row.high])).filter(usable);
  const reference = chart.reference && lines.length
    ? lines[0].rows.map((row) => [row[x.column], row[chart.reference.statistic]]).filter(([, value]) => usable(value)) : [];
  if (!heights.length) {
    svg.append(shape("text", { x: width / 2, y: height / 2, class: "middle" }, "Nothing to show for this choice."));
    return svg;
  }
  heights.push(...reference.map(([, value]) => value));
  if (!measure.log) heights.push(baseline ?? 0);
  if (chart.best) heights.push(Math.max(...heights, 0.1), Math.min(...heights, -0.1));
  const top = 30, bottom = height - 46;
  const y = scale(heights, { log: measure.log, round: true }, [bottom - 6, top + 6], 5);
  const labels = y.steps.map((step) => FORMATS.number(step));
  const left = 14 + 7.2 * Math.max(...labels.map((label) => label.length));
  const places = chart.places();
  const numbers = places.filter((place) => typeof place === "number");
  const words = numbers.length === 0 ? places : places.filter((place) => place === "inf");
  const right = width - 14;
  const wide = 6.8 * x.infinite.length; // the name of the infinite place, in pixels
  const slot = words.length && numbers.length ? Math.max(wide + 8, (right - left) / (numbers.length + 2)) : 0;
  let across;
  if (numbers.length) {
    const along = scale(numbers, x, [left + 12, right - slot - (slot ? 16 : 8)], Math.min(10, width / 70));
    const apart = numbers.every((place, i) => !i || along.place(place) - along.place(numbers[i - 1]) > 24);
    const steps = numbers.length <= 12 && apart ? numbers : along.steps;
    across = { place: (value) => (value === "inf" ? right - wide / 2 : along.place(value)),
      steps: [...steps.map((step) => [step, FORMATS.number(step)]), ...(slot ? [["inf", x.infinite]] : [])] };
  } else {
    const gap = (right - left) / words.length;
    const every = Math.ceil(words.length * 66 / (right - left));
    across = { place: (value) => left + gap * (words.indexOf(value) + 0.5),
      steps: words.filter((_, i) => i % every === 0).map((word) => [word, word]) };
  }

  for (const [i, step] of y.steps.entries()) {
    svg.append(shape("line", { x1: left, x2: right, y1: y.place(step), y2: y.place(step), class: step === baseline ? "zero" : "grid" }));
    svg.append(shape("text", { x: left - 6, y: y.place(step) + 4, class: "end" }, labels[i]));
  }
  for (const [step, label] of across.steps) {
    svg.append(shape("line", { x1: across.place(step), x2: across.place(step), y1: bottom, y2: bottom + 4, class: "axis" }));
    svg.append(shape("text", { x: across.place(step), y: bottom + 18, class: "middle" }, label));
  }
  if (slot) svg.append(shape("line", { x1: right - slot - 4, x2: right - slot - 4, y1: top, y2: bottom, class: "dots" }));
  svg.append(shape("line", { x1: left, x2: right, y1: bottom, y2: bottom, class: "axis" }));
  svg.append(shape("text", { x: 4, y: 14 }, measure.label));
  svg.append(shape("text", { x: (left + right) / 2, y: height - 8, class: "middle" }, x.label));
  if (chart.usedSources().some((source) => source.sample)) {
    svg.append(shape("text", { x: (left + right) / 2, y: (top + bottom) / 2, class: "sample",
      transform: `rotate(-14 ${(left + right) / 2} ${(top + bottom) / 2})` }, "SAMPLE DATA"));
  }
  const chosen = across.place(chart.picked);
  svg.append(shape("line", { x1: chosen, x2: chosen, y1: top, y2: bottom, class: "picked" }));

  const path = (points) => points.map(([a, b], i) => `${i ? "L" : "M"}${a.toFixed(1)} ${b.toFixed(1)}`).join("");
  /* A line breaks where a value is missing, and before the infinite place. */
  const pieces = (points) => {
    const found = [[]];
    for (const point of points) {
      if (!usable(point[1])) found.push([]);
      else {
        if (point[0] === "inf" && numbers.length) found.push([]);
        found.at(-1).push([across.place(point[0]), y.place(point[1])]);
      }
    }
    return found.filter((piece) => piece.length);
  };
  for (const piece of pieces(reference)) svg.append(shape("path", { d: path(piece), class: "reference" }));
  for (const { line, i, control, flat, rows } of lines) {
    const group = shape("g", { class: control ? "line control" : "line", style: control ? "" : `--tone: var(--line-${i % COLOURS})` });
    if (flat) {
      group.append(shape("path", { d: path([[left, y.place(rows[0].value)], [right, y.place(rows[0].value)]]) }));
      svg.append(group);
      continue;
    }
    const ends = rows.filter((row) => usable(row.low) && usable(row.high));
    if (ends.length > MOST_BARS) {
      for (const part of [ends.filter((row) => row[x.column] !== "inf")]) {
        const edge = [...part.map((row) => [row[x.column], row.low]), ...[...part].reverse().map((row) => [row[x.column], row.high])];
        group.append(shape("path", { d: `${path(edge.map(([a, b]) => [across.place(a), y.place(b)]))}Z`, class: "band" }));
      }
    }
    for (const row of ends.length > MOST_BARS ? ends.filter((each) => each[x.column] === "inf") : ends) {
      const a = across.place(row[x.column]);
      group.append(shape("line", { x1: a, x2: a, y1: y.place(row.low), y2: y.place(row.high), class: "bar" }));
    }
    if (numbers.length)
      for (const piece of pieces(rows.map((row) => [row[x.column], row.value]))) group.append(shape("path", { d: path(piece) }));
    for (const row of rows.filter((each) => usable(each.value))) {
      const size = row[x.column] === chart.picked ? 1.5 : rows.length > MOST_BARS ? 0.6 : 1;
      const mark = shape("path", { d: MARKERS[i % MARKERS.length], class: "mark",
        transform: `translate(${across.place(row[x.column])} ${y.place(row.value)}) scale(${size})` });
      const interval = usable(row.low) && usable(row.high) ? ` (${FORMATS.number(row.low)} to ${FORMATS.number(row.high)})` : "";
      const name = line === null ? "" : `${chart.nameOf(chart.series.column, line)}, `;
      mark.append(shape("title", {}, `${name}${chart.nameOf(x.column, row[x.column])}: ${FORMATS.number(row.value)}${interval}`));
      group.append(mark);
    }
    svg.append(group);
  }
  svg.addEventListener("click", (event) => {
    const at = event.clientX - svg.getBoundingClientRect().left;
    pick(places.reduce((a, b) => (Math.abs(across.place(b) - at) < Math.abs(across.place(a) - at) ? b : a)));
  });
  return svg;
}

function select(name, label, options, names, value, change) {
  const control = element("select", { name });
  options.forEach((option, i) => control.append(element("option", { value: i }, names(option))));
  control.selectedIndex = options.indexOf(value);
  control.addEventListener("change", () => change(options[control.selectedIndex]));
  return element("label", {}, label, control);
}

function swatch(chart, line, i) {
  const control = chart.isControl(line);
  const svg = shape("svg", { width: 30, height: 12, viewBox: "0 0 30 12", "aria-hidden": "true" });
  const group = shape("g", { class: control ? "line control" : "line", style: control ? "" : `--tone: var(--line-${i % COLOURS})` });
  group.append(shape("path", { d: "M1 6h28" }));
  group.append(shape("path", { d: MARKERS[i % MARKERS.length], class: "mark", transform: "translate(15 6)" }));
  svg.append(group);
  return svg;
}

function numbersTable(chart) {
  const measure = chart.measure();
  const intervals = chart.rows.some((row) => row.low !== null);
  const head = [chart.x.label, ...(chart.series ? [chart.series.label] : []), measure.label, ...(intervals ? ["from", "to"] : [])];
  const body = element("tbody");
  const show = (value) => (value === null ? "–" : value === "inf" ? "unlimited" : String(SHORT(value)));
  for (const line of chart.lines.filter((each) => chart.shown.has(each))) {
    for (const row of chart.rowsOf(line)) {
      const place = row[chart.x.column];
      const cells = [chart.isFlat(line) ? "any" : place === "inf" ? chart.x.infinite : typeof place === "number" ? FORMATS.number(place) : place,
        ...(chart.series ? [chart.nameOf(chart.series.column, line)] : []),
        show(row.value), ...(intervals ? [show(row.low), show(row.high)] : [])];
      body.append(element("tr", {}, ...cells.map((cell) => element("td", {}, cell))));
    }
  }
  const header = element("thead", {}, element("tr", {}, ...head.map((cell) => element("th", { scope: "col" }, cell))));
  return element("table", {}, header, body);
}

/* The panel: a question, its choices, the drawing, the answer. `changed` is called after each. */
class ChartPanel {
  constructor(root, { charts, links }, changed) {
    this.root = root;
    this.links = links;
    this.changed = changed;
    this.models = new Map(charts.map((each) => [each.key, new ChartModel(each)]));
    [this.chart] = this.models.values();
    this.question = element("select", { name: "question" });
    for (const paper of new Set(charts.map((each) => each.paper))) {
      const group = element("optgroup", { label: paper });
      for (const each of charts.filter((one) => one.paper === paper))
        group.append(element("option", { value: each.key }, each.title));
      this.question.append(group);
    }
    this.question.addEventListener("change", () => {
      this.chart = this.models.get(this.question.value);
      this.build();
      this.changed();
    });
    this.body = element("div", { class: "panel" });
    root.append(element("label", { class: "wide" }, "Question", this.question), this.body);
    this.plot = element("div", { class: "plot" });
    this.answer = element("div", { class: "answer", "aria-live": "polite" });
    this.numbers = element("details", {}, element("summary", {}, "These numbers as a table"),
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Numbers of the chart" }));
    this.numbers.addEventListener("toggle", () => this.fillNumbers());
    this.sources = element("p", { class: "soft" });
    this.build();
    new ResizeObserver(() => this.draw()).observe(this.plot);
  }

  /* All controls of the chosen chart. */
  build() {
    const { chart } = this;
    const choices = element("div", { class: "choices" });
    for (const each of chart.choices) {
      choices.append(select(each.column, each.label, chart.options[each.column],
        (value) => chart.nameOf(each.column, value), chart.picks[each.column], (value) => {
          chart.picks[each.column] = value;
          this.update();
        }));
    }
    this.place = element("div");
    choices.append(this.place);
    const about = element("p", { class: "about" }, unbroken(chart.about));
    const legend = [];
    if (chart.series) {
      const box = element("fieldset", {}, element("legend", {}, chart.series.label));
      chart.lines.forEach((line, i) => {
        const tick = element("input", { type: "checkbox", name: "show", value: line });
        tick.checked = chart.shown.has(line);
        tick.addEventListener("change", () => {
          chart.shown[tick.checked ? "add" : "delete"](line);
          this.update();
        });
        box.append(element("label", { class: "tick" }, tick, swatch(chart, line, i), chart.nameOf(chart.series.column, line)));
      });
      if (chart.reference) {
        const dashes = shape("svg", { width: 30, height: 12, viewBox: "0 0 30 12", "aria-hidden": "true" });
        dashes.append(shape("path", { d: "M1 6h28", class: "reference" }));
        box.append(element("span", { class: "tick" }, dashes, chart.reference.name));
      }
      legend.push(box);
    }
    this.body.replaceChildren(element("div", {}, choices, this.answer, about),
      element("div", {}, this.plot, ...legend, this.numbers, this.sources));
    this.question.value = chart.key;
    this.update(false);
  }

  update(tell = true) {
    const { chart } = this;
    const places = chart.places();
    if (!places.includes(chart.picked)) [chart.picked] = places;
    const plain = (value) => (typeof value === "number" ? FORMATS.number(value) : chart.nameOf(chart.x.column, value));
    this.place.replaceChildren(select("at", chart.x.label, places, plain, chart.picked, (value) => {
      chart.picked = value;
      this.afterPick();
    }));
    this.afterPick(tell);
  }

  afterPick(tell = true) {
    const { chart } = this;
    const at = this.place.querySelector("select");
    at.selectedIndex = chart.places().indexOf(chart.picked);
    this.draw();
    const said = chart.answers();
    const used = chart.usedSources();
    const lines = said.length ? said.map((text) => element("p", {}, text)) : [element("p", {}, "Nothing is shown for this choice.")];
    if (used.some((source) => source.sample))
      lines.push(element("p", { class: "warning" }, "SAMPLE DATA, made up by a program in the format of the real data: this says nothing about real people."));
    this.answer.replaceChildren(...lines);
    const names = used.map(({ table, dataset, tier, sample }) => {
      const data = dataset === "-" ? "no data" : sample ? `${dataset}, SAMPLE` : `${dataset}, ${tier}`;
      const shown = this.links[table] ? element("a", { href: this.links[table] }, table) : element("span", {}, table);
      return [shown, ` (${data})`];
    });
    this.sources.replaceChildren("From: ", ...names.flatMap((name, i) => (i ? [", ", ...name] : name)));
    this.fillNumbers();
    if (tell) this.changed();
  }

  fillNumbers() {
    this.numbers.lastElementChild.replaceChildren(...(this.numbers.open ? [numbersTable(this.chart)] : []));
  }

  draw() {
    const width = Math.floor(this.plot.clientWidth);
    if (!width) return;
    this.plot.replaceChildren(drawing(this.chart, width, (value) => {
      this.chart.picked = value;
      this.afterPick();
    }));
  }

  /* The reader's choices, for an address. */
  choices() {
    const { chart } = this;
    const chosen = new URLSearchParams({ question: chart.key });
    for (const { column } of chart.choices) chosen.set(column, chart.picks[column]);
    chosen.set("at", chart.picked);
    if (chart.series) chosen.set("show", [...chart.shown].join("|"));
    return chosen;
  }

  /* Take choices from an address; what does not fit is left as it is. */
  choose(wanted) {
    this.chart = this.models.get(wanted.get("question")) ?? this.chart;
    const { chart } = this;
    for (const { column } of chart.choices) {
      const found = chart.options[column].find((option) => String(option) === wanted.get(column));
      if (found !== undefined) chart.picks[column] = found;
    }
    if (chart.series && wanted.has("show")) {
      const names = wanted.get("show").split("|");
      chart.shown = new Set(chart.lines.filter((line) => names.includes(String(line))));
    }
    const at = chart.places().find((place) => String(place) === wanted.get("at"));
    if (at !== undefined) chart.picked = at;
    this.build();
  }
}
