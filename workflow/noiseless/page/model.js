"use strict";
/* A chart of noiseless/page/charts.py without its drawing: its cells, what the reader chose, and
   the answer in words. The choices leave one row for each line and place along the bottom. */

const SHORT = (value) => Number(value.toPrecision(3));
const FORMATS = {
  number: (value) =>
    Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(SHORT(value)),
  percent: (value) =>
    value < 1 && SHORT(100 * value) === 100 ? "almost 100 %" : `${SHORT(100 * value)} %`,
  games: (value, row) => {
    const won = 50 * (1 + value);
    const digits = [row.games < 2000 ? 0 : 1, 1].find(
      (each) => won === 100 || won.toFixed(each) < 100,
    );
    return digits === undefined ? "almost 100" : won.toFixed(digits);
  },
  count: (value) => value.toLocaleString("en"),
  whole: (value) => Math.round(value).toLocaleString("en"),
};

const NO_NUMBER = "The table has no number for the shown lines at this choice.";

/* A percent sign stays on the line of its number. */
const unbroken = (text) => text.replaceAll(" %", "\u00a0%");

/* "1 nats" is "1 nat". */
const singular = (text) =>
  text.replace(/(^|[^\d.,])1 (nat|home|report|answer|level|game|trip)s\b/g, "$11 $2");

/* A name of a user's own, which may be written from right to left or turn the text around it. */
const DIRECTED = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/;
const isolated = (text) => (DIRECTED.test(text) ? `\u2068${text}\u2069` : text);

const numeric = (value) => (value === "inf" ? Infinity : value === "-inf" ? -Infinity : value);

/* The inverse of `packed` in chart.py: one object for each row. */
function unpacked(columns) {
  const names = Object.keys(columns);
  const lengths = names.map((name) => (columns[name].all ?? columns[name].at ?? []).length);
  const valueOf = ({ same, all, of, at }, i) => (all ? all[i] : at ? of[at[i]] : same);
  return Array.from({ length: Math.max(1, ...lengths) }, (_, i) =>
    Object.fromEntries(names.map((name) => [name, valueOf(columns[name], i)])),
  );
}

class ChartModel {
  constructor(description) {
    Object.assign(this, description);
    this.rows = unpacked(description.columns);
    this.lines = this.series ? this.options[this.series.column] : [null];
    // What the reader has chosen of each column but that of the lines.
    this.picks = {};
    for (const { column, first } of [...description.choices, { column: "statistic" }]) {
      if (column === this.series?.column || column in this.picks) continue;
      const options = this.options[column];
      this.picks[column] = options.includes(first) ? first : options[0];
    }
    this.choices = description.choices.filter((each) => this.options[each.column].length > 1);
    // What a reader must know but cannot change.
    this.fixed = description.choices.filter((each) => this.options[each.column].length === 1);
    for (const { column } of this.choices) this.choose(column, this.picks[column]);
    this.shown = new Set(this.lines.filter((line) => !this.series?.hidden.includes(line)));
    const places = this.choosable();
    if (!places.includes(this.picked)) [this.picked] = places;
  }

  /* Options of a choice that have rows under the choices before it. */
  optionsOf(column) {
    const before = this.choices.slice(
      0,
      this.choices.findIndex((each) => each.column === column),
    );
    const there = new Set(
      this.rows
        .filter((row) => before.every((each) => row[each.column] === this.picks[each.column]))
        .map((row) => row[column]),
    );
    return this.options[column].filter((option) => there.has(option));
  }

  /* Choose an option; a later choice that has no rows under it falls back to its first. */
  choose(column, option) {
    this.picks[column] = option;
    for (const each of this.choices) {
      const options = this.optionsOf(each.column);
      if (!options.includes(this.picks[each.column])) [this.picks[each.column]] = options;
    }
  }

  isControl(line) {
    return Boolean(this.series?.controls.includes(line));
  }

  /* Rows of a line under the reader's choices. A control stays where its table does not tell it
     apart by a choice. */
  rowsOf(line) {
    const own = this.rows.filter((row) => !this.series || row[this.series.column] === line);
    const binding = Object.entries(this.picks).filter(
      ([column, value]) => !this.isControl(line) || own.some((row) => row[column] === value),
    );
    const order = this.options[this.x.column];
    const place = (row) => order.indexOf(row[this.x.column]);
    return own
      .filter((row) => binding.every(([column, value]) => row[column] === value))
      .sort((a, b) => place(a) - place(b));
  }

  /* A control that was measured once holds all along the bottom. */
  isFlat(line) {
    if (!this.isControl(line)) return false;
    return new Set(this.rowsOf(line).map((row) => row[this.x.column])).size === 1;
  }

  /* Places along the bottom, in order. */
  places() {
    const moving = this.lines.filter((line) => !this.isFlat(line));
    const rows = moving.flatMap((line) => this.rowsOf(line));
    const there = new Set(rows.map((row) => row[this.x.column]));
    return this.options[this.x.column].filter((place) => there.has(place));
  }

  /* Places that a reader chooses from: of several with the same name, the one nearest to it. */
  choosable() {
    const byLabel = new Map();
    for (const place of this.places()) {
      const label = this.placeLabel(place);
      const off = (each) => Math.abs(each - Number(label));
      const known = byLabel.get(label);
      if (known === undefined || off(place) < off(known)) byLabel.set(label, place);
    }
    return [...byLabel.values()];
  }

  /* The line before this one that has the same values everywhere, and so covers it or is covered. */
  twinOf(line) {
    const points = (each) => this.rowsOf(each).map((row) => [row[this.x.column], row.value]);
    const own = JSON.stringify(points(line));
    const before = this.lines.slice(0, this.lines.indexOf(line));
    return own === "[]" ? undefined : before.find((each) => JSON.stringify(points(each)) === own);
  }

  measure() {
    const chosen = this.measures.find((each) => each.statistic === this.picks.statistic);
    return chosen ?? this.measures[0];
  }

  /* What a value of a column is called. */
  nameOf(column, value) {
    if (value === null || value === undefined) return "unknown";
    if (column === this.x.column) {
      if (value === "inf") return this.x.infinite;
      return this.x.says.replace("{}", this.placeLabel(value));
    }
    const asked = [this.series, ...this.choices].find((each) => each?.column === column);
    const names = asked?.names ?? this.words[column];
    if (names && Object.hasOwn(names, value)) return names[value];
    if (column === "statistic") return this.measures.find((each) => each.statistic === value).name;
    if (typeof value === "number") return value.toLocaleString("en");
    return isolated(String(value).replaceAll("_", " "));
  }

  /* A place along the bottom, as short as a tick's label. */
  placeLabel(place) {
    if (place === "inf") return this.x.infinite;
    return typeof place === "number" ? FORMATS.number(place) : isolated(place);
  }

  /* A row for each shown line at the picked place, with or without a value. */
  cell() {
    const x = this.x.column;
    return this.lines
      .filter((line) => this.shown.has(line))
      .map((line) => {
        const at = (row) => this.isFlat(line) || row[x] === this.picked;
        const told = this.series ? { [this.series.column]: line } : {};
        return { ...this.picks, ...told, ...this.rowsOf(line).find(at), [x]: this.picked, line };
      });
  }

  inWords(row, sentence = this.sentence) {
    const text = sentence.replace(/{(\w+)(?::(\w+))?}/g, (_, name, form) => {
      const value = numeric(row[name]);
      if (!form || value === null || value === undefined) return this.nameOf(name, row[name]);
      return Number.isFinite(value) ? FORMATS[form](value, row) : "unlimited";
    });
    return singular(unbroken(text[0].toUpperCase() + text.slice(1)));
  }

  /* The answer: sentences about the best shown line, or about each; a reason where there is none. */
  answers() {
    if (!this.shown.size) return ["No line is shown. Tick one below the drawing."];
    const cell = this.cell();
    const has = (row) => typeof row.value === "number";
    if (!this.best) {
      const wordsOf = (row) => (has(row) ? this.sentence : this.empty);
      const said = cell.filter(wordsOf).map((row) => this.inWords(row, wordsOf(row)));
      return said.length ? [...new Set(said)] : [NO_NUMBER];
    }
    const able = cell.filter((row) => has(row) && !this.isControl(row.line));
    if (!able.length) return [cell.some(has) ? "Only a line that sees nothing is shown." : NO_NUMBER];
    const best = able.reduce((a, b) => (b.value > a.value ? b : a));
    const { baseline, above, within, below } = this.best;
    const verdict = best.low > baseline ? above : best.high < baseline ? below : within;
    const said = [`${this.inWords(best)} ${verdict}`];
    if (this.stronger && best.stronger_value > best.value) {
      said.push(this.inWords(best, this.stronger.sentence));
    }
    return said;
  }

  /* The tables that what is shown was taken from. */
  usedSources() {
    const rows = this.lines.flatMap((line) => this.rowsOf(line));
    const used = new Set(rows.map((row) => row.source));
    return this.sources.filter((source, i) => used.has(i) || source.joined);
  }
}
