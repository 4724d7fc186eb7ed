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
};

/* A percent sign stays on the line of its number. */
const unbroken = (text) => text.replaceAll(" %", "\u00a0%");

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
    for (const { column } of this.choices) this.choose(column, this.picks[column]);
    this.shown = new Set(this.lines.filter((line) => !this.series?.hidden.includes(line)));
    const places = this.places();
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
    if (asked && value in asked.names) return asked.names[value];
    if (column === "statistic") return this.measures.find((each) => each.statistic === value).name;
    if (typeof value === "number") return value.toLocaleString("en");
    return String(value).replaceAll("_", " ");
  }

  /* A place along the bottom, as short as a tick's label. */
  placeLabel(place) {
    if (place === "inf") return this.x.infinite;
    return typeof place === "number" ? FORMATS.number(place) : place;
  }

  /* Rows of all shown lines at the picked place. */
  cell() {
    const x = this.x.column;
    return this.lines
      .filter((line) => this.shown.has(line))
      .map((line) => {
        const at = (row) => this.isFlat(line) || row[x] === this.picked;
        return { ...this.rowsOf(line).find(at), [x]: this.picked, line };
      })
      .filter((row) => typeof row.value === "number");
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

  /* The tables that what is shown was taken from. */
  usedSources() {
    const rows = this.lines.flatMap((line) => this.rowsOf(line));
    const used = new Set(rows.map((row) => row.source));
    return this.sources.filter((source, i) => used.has(i) || source.joined);
  }
}
