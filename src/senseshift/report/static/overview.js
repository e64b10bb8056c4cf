"use strict";
/* The first page: a table to sort, search and filter, and the chart of all words. */

(function (s) {
  const data = s.received.index;
  const body = s.at("words").tBodies[0];
  const lines = [...body.rows];
  const heads = [...s.at("words").tHead.querySelectorAll("button")];
  const USUAL = { by: "magnitude", down: true };
  let sorted = USUAL;
  let inOrder = data.rows.map((_, k) => k);

  const chosen = (id, names) => (s.at(id) && s.at(id).value) || names[0];
  const magnitude = () => chosen("magnitude", data.magnitudes);
  const scope = () => chosen("scope", data.scopes);

  function value(row, by) {
    if (by === "magnitude") return row.measures[magnitude()];
    if (by === "scope") return row.measures[scope()];
    return row[by];
  }

  function sort() {
    const order = data.rows.map((_, k) => k);
    const sign = sorted.down ? -1 : 1;
    order.sort((a, b) => {
      const x = value(data.rows[a], sorted.by), y = value(data.rows[b], sorted.by);
      if (x === null || y === null) return (x === null) - (y === null) || a - b; // unknown last
      return sign * (typeof x === "string" ? s.natural(x, y) : x - y) || a - b;
    });
    body.append(...order.map((k) => lines[k]));
    inOrder = order;
    for (const head of heads) {
      const cell = head.closest("th");
      if (head.dataset.sort === sorted.by) cell.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
  }

  function filter() {
    const text = s.at("find-word").value.trim().toLocaleLowerCase();
    const verdict = s.at("filter-word").value;
    let shown = 0;
    data.rows.forEach((row, k) => {
      const fits = row.word.toLocaleLowerCase().includes(text) && (!verdict || row.verdict === verdict);
      lines[k].hidden = !fits;
      shown += fits;
    });
    const all = shown === data.rows.length;
    s.at("found-words").textContent = all ? "" : `${s.count(shown)} of ${s.count(data.rows.length)}`;
    s.at("no-words").hidden = shown > 0;
    s.later("chart", chart);
  }

  /** Figures of the chosen measures, with bars as long as they are. */
  function measures() {
    const names = [["magnitude", data.magnitudes.length && magnitude(), false], ["scope", data.scopes.length && scope(), true]];
    for (const [column, name, sign] of names) {
      if (!name) continue;
      const head = heads.find((button) => button.dataset.sort === column);
      head.title = `${name}: ${data.measures[name]}`;
      const most = Math.max(...data.rows.map((row) => Math.abs(row.measures[name] || 0))) || 1;
      data.rows.forEach((row, k) => {
        const cell = lines[k].querySelector(`.${column}`), figure = row.measures[name];
        // What is infinite is in the page already, of the first measure, and nowhere else.
        if (cell.dataset.first === undefined) cell.dataset.first = cell.textContent;
        const first = name === (sign ? data.scopes : data.magnitudes)[0];
        cell.textContent = figure !== null ? s.number(figure, Math.abs(figure) < 10 ? 3 : 1, sign) : first ? cell.dataset.first : "–";
        cell.style.setProperty("--share", (Math.abs(figure || 0) / most).toFixed(3));
      });
    }
  }

  /** The chart of the words that are listed. */
  function chart() {
    if (s.at("overview").hidden || !data.magnitudes.length || !data.rows.length) return;
    s.chart.draw(data.rows.filter((row, k) => !lines[k].hidden), magnitude(), data.scopes.length ? scope() : null);
  }

  /** What of the list differs from what is usual, for the address. */
  function parts() {
    const as = `${sorted.down ? "-" : ""}${sorted.by}`;
    return {
      sort: as === "-magnitude" ? null : as, find: s.at("find-word").value, show: s.at("filter-word").value,
      ...Object.fromEntries(["magnitude", "scope"].filter((id) => s.at(id) && s.at(id).selectedIndex > 0).map((id) => [id, s.at(id).value])),
    };
  }

  const remember = () => {
    if (!s.at("overview").hidden) s.fragment.write(parts());
  };

  s.overview = {
    rows: data.rows,
    label: s.chart.label,
    link: (row) => s.fragment.text({ word: row.word, pair: row.pair || null, list: s.overview.list() }),

    /** How the list is sorted and filtered, as a part of another address. */
    list: () => s.fragment.text(parts()).slice(1),

    /** Sort and filter the list as an address says. */
    restore(asked) {
      for (const [id, value] of [["find-word", asked.find], ["filter-word", asked.show], ["magnitude", asked.magnitude], ["scope", asked.scope]]) {
        if (!s.at(id)) continue;
        s.at(id).value = value || "";
        if (s.at(id).tagName === "SELECT" && s.at(id).selectedIndex < 0) s.at(id).selectedIndex = 0;
      }
      const by = (asked.sort || "").replace(/^-/, "");
      sorted = heads.some((head) => head.dataset.sort === by) ? { by, down: asked.sort.startsWith("-") } : USUAL;
      measures();
      sort();
      filter();
    },

    /** The words that are listed, in order; one that must be among them is, be it filtered out. */
    order: (must) => inOrder.filter((k) => !lines[k].hidden || data.rows[k] === must).map((k) => data.rows[k]),

    start() {
      for (const head of heads) {
        head.addEventListener("click", () => {
          const by = head.dataset.sort;
          const down = by === sorted.by ? !sorted.down : !["word", "old", "p", "q"].includes(by);
          sorted = { by, down };
          sort();
          remember();
        });
      }
      for (const id of ["magnitude", "scope"]) {
        if (s.at(id)) s.at(id).addEventListener("change", () => { measures(); sort(); chart(); remember(); });
      }
      for (const [id, event] of [["find-word", "input"], ["filter-word", "change"]]) {
        s.at(id).addEventListener(event, () => { filter(); remember(); });
      }
      measures();
    },

    draw: () => s.later("chart", chart),
    redraw: chart,
  };
})(window.senseshift);
