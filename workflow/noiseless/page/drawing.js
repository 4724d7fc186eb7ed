"use strict";
/* The drawing of a chart as SVG, at the width that it has on the screen. */

const SVG = "http://www.w3.org/2000/svg";
const MARKERS = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
  "M-3.5 -3.5h7v7h-7z",
  "M0 -4.8l4.4 8h-8.8z",
  "M0 -5l4.2 5l-4.2 5l-4.2 -5z",
  "M0 4.8l4.4 -8h-8.8z",
  "M-1.4 -4.5h2.8v3.1h3.1v2.8h-3.1v3.1h-2.8v-3.1h-3.1v-2.8h3.1z",
  "M-4.2 -2.2l2 -2l2.2 2.2l2.2 -2.2l2 2l-2.2 2.2l2.2 2.2l-2 2l-2.2 -2.2l-2.2 2.2l-2 -2l2.2 -2.2z",
  "M0 -5.2l1.5 3.4l3.6 .4l-2.7 2.4l.8 3.6l-3.2 -1.9l-3.2 1.9l.8 -3.6l-2.7 -2.4l3.6 -.4z",
  "M-4.2 -4.2h8.4l-8.4 8.4h8.4z",
];
// --line-0 to --line-9 in the style sheet. Their number and that of the markers have no common
// divisor, so that only the 91st line of a chart would look like the first.
const COLOURS = 10;
const DASHES = ["6 4", "2 3", "11 4", "8 3 2 3"]; // of lines that see nothing
const MOST_BARS = 16; // places along the bottom; more than these have a band, not bars
const CHARACTER = 6.8; // pixels of a letter in the drawing, about

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/* A group in the look of the line of a chart that has this number. */
function lineGroup(chart, i) {
  const control = chart.isControl(chart.lines[i]);
  if (control) {
    const before = chart.lines.slice(0, i).filter((line) => chart.isControl(line)).length;
    const dash = DASHES[before % DASHES.length];
    return shape("g", { class: "line control", style: `--dash: ${dash}` });
  }
  return shape("g", { class: "line", style: `--tone: var(--line-${i % COLOURS})` });
}

function marker(i, x, y, size = 1) {
  const transform = `translate(${x} ${y}) scale(${size})`;
  return shape("path", { d: MARKERS[i % MARKERS.length], class: "mark", transform });
}

function path(points) {
  return points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

function niceSteps(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((each) => each * power >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

function logSteps(low, high) {
  const from = Math.floor(Math.log10(low));
  const to = Math.ceil(Math.log10(high));
  const digits = to - from <= 2 ? [1, 2, 5] : [1];
  const powers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return powers
    .flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)))
    .filter((each) => each >= low * 0.999 && each <= high * 1.001);
}

/* Where a value lies between two ends, and its ticks; from tick to tick if `round`. */
function scale(values, { log, round = false }, [from, to], count) {
  let low = Math.min(...values);
  let high = Math.max(...values);
  if (low === high) {
    low -= log ? low / 2 : 1;
    high += log ? high : 1;
  }
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

/* Places along the bottom: numbers to scale, the infinite one apart at the right; or words. */
function bottomScale(chart, left, right) {
  const places = chart.places();
  const numbers = places.filter((place) => typeof place === "number");
  const label = (place) => [place, chart.placeLabel(place)];
  if (!numbers.length) {
    const gap = (right - left) / places.length;
    const every = Math.ceil((places.length * 66) / (right - left));
    return {
      place: (value) => left + gap * (places.indexOf(value) + 0.5),
      steps: places.filter((_, i) => i % every === 0).map(label),
      slot: 0,
      joined: false,
    };
  }
  const wide = CHARACTER * chart.x.infinite.length;
  const apart = places.includes("inf");
  const slot = apart ? Math.max(wide + 8, (right - left) / (numbers.length + 2)) : 0;
  const ends = [left + 12, right - slot - (slot ? 16 : 8)];
  const along = scale(numbers, chart.x, ends, Math.min(10, (right - left) / 70));
  const roomy = numbers.every(
    (place, i) => !i || along.place(place) - along.place(numbers[i - 1]) > 24,
  );
  const steps = numbers.length <= 12 && roomy ? numbers : along.steps;
  return {
    place: (value) => (value === "inf" ? right - wide / 2 : along.place(value)),
    steps: [...steps, ...(apart ? ["inf"] : [])].map(label),
    slot,
    joined: true,
  };
}

/* The drawing; `pick` is called with the place that a reader clicks at. */
function drawing(chart, width, pick) {
  const height = width < 560 ? 300 : 380;
  const svg = shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  const { x } = chart;
  const measure = chart.measure();
  const summary = `${chart.title} ${measure.label} against ${x.label}.`;
  svg.setAttribute("aria-label", `${summary} The numbers are in the table below.`);
  const add = (name, attributes, text) => svg.append(shape(name, attributes, text));

  const usable = (value) =>
    value !== null && Number.isFinite(numeric(value)) && !(measure.log && value <= 0);
  const lines = chart.lines
    .map((line, i) => ({ line, i, flat: chart.isFlat(line), rows: chart.rowsOf(line) }))
    .filter(({ line, rows }) => chart.shown.has(line) && rows.length);
  const heights = lines
    .flatMap(({ rows }) => rows.flatMap((row) => [row.value, row.low, row.high]))
    .filter(usable);
  if (!heights.length) {
    const middle = { x: width / 2, y: height / 2, class: "middle" };
    add("text", middle, "No number to draw: the answer says why.");
    return svg;
  }
  const reference = lines[0].rows
    .map((row) => [row[x.column], chart.reference ? row[chart.reference.statistic] : null])
    .filter(([, value]) => usable(value));
  heights.push(...reference.map(([, value]) => value));
  const baseline = chart.best?.baseline ?? 0;
  if (!measure.log) heights.push(baseline);
  if (chart.best) heights.push(baseline - 0.1, baseline + 0.1);

  // Axes.
  const [top, bottom, right] = [30, height - 46, width - 14];
  const y = scale(heights, { log: measure.log, round: true }, [bottom - 6, top + 6], 5);
  const labels = y.steps.map((step) => FORMATS.number(step));
  const left = 14 + (CHARACTER + 0.4) * Math.max(...labels.map((label) => label.length));
  const bottomAxis = bottomScale(chart, left, right);
  const across = bottomAxis.place;
  const upright = (at, from, to, look) =>
    add("line", { x1: at, x2: at, y1: from, y2: to, class: look });
  const level = (at, look) => add("line", { x1: left, x2: right, y1: at, y2: at, class: look });
  for (const [i, step] of y.steps.entries()) {
    level(y.place(step), step === baseline ? "zero" : "grid");
    add("text", { x: left - 6, y: y.place(step) + 4, class: "end" }, labels[i]);
  }
  for (const [step, label] of bottomAxis.steps) {
    upright(across(step), bottom, bottom + 4, "axis");
    add("text", { x: across(step), y: bottom + 18, class: "middle" }, label);
  }
  level(bottom, "axis");
  if (bottomAxis.slot) upright(right - bottomAxis.slot - 4, top, bottom, "dots");
  const [centre, middle] = [(left + right) / 2, (top + bottom) / 2];
  add("text", { x: 4, y: 14 }, measure.label);
  add("text", { x: centre, y: height - 8, class: "middle" }, x.label);
  if (chart.usedSources().some((source) => source.sample)) {
    const transform = `rotate(-14 ${centre} ${middle})`;
    add("text", { x: centre, y: middle, class: "sample", transform }, "SAMPLE DATA");
  }
  upright(across(chart.picked), top, bottom, "picked");

  // A line breaks where a value is missing, and before the infinite place.
  const pieces = (points) => {
    const found = [[]];
    for (const [place, value] of points) {
      if (!usable(value) || place === "inf") found.push([]);
      if (usable(value)) found.at(-1).push([across(place), y.place(value)]);
    }
    return found.filter((piece) => piece.length > 1);
  };
  for (const piece of pieces(reference)) add("path", { d: path(piece), class: "reference" });
  for (const { line, i, flat, rows } of lines) {
    const group = lineGroup(chart, i);
    svg.append(group);
    if (flat) {
      const at = y.place(rows[0].value);
      group.append(shape("path", { d: path([[left, at], [right, at]]) }));
      continue;
    }
    const placeOf = (row) => row[x.column];
    const estimates = rows.filter((row) => usable(row.low) && usable(row.high));
    const many = estimates.length > MOST_BARS;
    if (many) {
      const finite = estimates.filter((row) => placeOf(row) !== "inf");
      const upper = finite.map((row) => [across(placeOf(row)), y.place(row.high)]);
      const lower = finite.map((row) => [across(placeOf(row)), y.place(row.low)]);
      const d = `${path([...lower, ...upper.reverse()])}Z`;
      group.append(shape("path", { d, class: "band" }));
    }
    for (const row of estimates.filter((each) => !many || placeOf(each) === "inf")) {
      const at = across(placeOf(row));
      const [y1, y2] = [y.place(row.low), y.place(row.high)];
      group.append(shape("line", { x1: at, x2: at, y1, y2, class: "bar" }));
    }
    if (bottomAxis.joined) {
      for (const piece of pieces(rows.map((row) => [placeOf(row), row.value]))) {
        group.append(shape("path", { d: path(piece) }));
      }
    }
    for (const row of rows.filter((each) => usable(each.value))) {
      const size = placeOf(row) === chart.picked ? 1.5 : rows.length > MOST_BARS ? 0.6 : 1;
      const mark = marker(i, across(placeOf(row)), y.place(row.value), size);
      const name = line === null ? "" : `${chart.nameOf(chart.series.column, line)}, `;
      const [value, low, high] = [row.value, row.low, row.high].map(
        (each) => usable(each) && FORMATS.number(each),
      );
      const interval = low && high ? ` (${low} to ${high})` : "";
      const said = `${name}${chart.nameOf(x.column, placeOf(row))}: ${value}${interval}`;
      mark.append(shape("title", {}, said));
      group.append(mark);
    }
  }
  svg.addEventListener("click", (event) => {
    const at = event.clientX - svg.getBoundingClientRect().left;
    const off = (place) => Math.abs(across(place) - at);
    pick(chart.choosable().reduce((a, b) => (off(b) < off(a) ? b : a)));
  });
  return svg;
}

/* What a line looks like, for its name in the legend. */
function swatch(...inside) {
  const look = { width: 30, height: 12, viewBox: "0 0 30 12", "aria-hidden": "true" };
  const svg = shape("svg", look);
  svg.append(...inside);
  return svg;
}

function lineSwatch(chart, i) {
  const group = lineGroup(chart, i);
  group.append(shape("path", { d: "M1 6h28" }), marker(i, 15, 6));
  return swatch(group);
}

function referenceSwatch() {
  return swatch(shape("path", { d: "M1 6h28", class: "reference" }));
}
