"use strict";
/* The first page: a table to sort, search and filter, and the chart of all words. */

(function (s) {
  const data = s.received.index;
  const body = s.at("words").tBodies[0];
  const lines = [...body.rows];
  const heads = [...s.at("words").tHead.querySelectorAll("button")];
  const LABELLED = 14; // words that are named in the chart
  const TRIED = 60; // of the most changed ones
  // Sides of a point, with the box that a name of some width fills there, in pixels from the point.
  const SIDES = [
    ["middle right", (width) => [0, width, -9, 9]],
    ["middle left", (width) => [-width, 0, -9, 9]],
    ["top center", (width) => [-width / 2, width / 2, 4, 22]],
    ["bottom center", (width) => [-width / 2, width / 2, -22, -4]],
  ];
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
        // What is not finite is in the page already and nowhere else.
        if (figure !== null) cell.textContent = s.number(figure, Math.abs(figure) < 10 ? 3 : 1, sign);
        cell.style.setProperty("--share", (Math.abs(figure || 0) / most).toFixed(3));
        cell.classList.toggle("less", figure < 0);
      });
    }
  }

  function chart() {
    if (s.at("overview").hidden || !data.magnitudes.length || !data.rows.length) return;
    const rows = data.rows.filter((row, k) => !lines[k].hidden);
    const x = rows.map((row) => row.measures[magnitude()]);
    const y = rows.map((row) => (data.scopes.length ? row.measures[scope()] : 0));
    const named = labelled(rows, x, y);
    s.plots.draw("chart", [{
      type: s.plots.kind(rows.length), mode: "markers+text", x, y, hoverinfo: "none",
      text: rows.map((row, k) => (named.has(k) ? s.plotText(label(row), 24) : "")),
      textposition: rows.map((row, k) => named.get(k) || "middle right"),
      textfont: { color: s.colours.css("ink"), size: 12.5 },
      marker: {
        size: 10, opacity: 0.85, line: { width: 1, color: s.colours.css("card") },
        symbol: rows.map((row) => (row.significance > data.chance ? "circle-open" : "circle")),
        color: y.map((g) => s.colours.css(g > 0 ? "rose-mark" : g < 0 ? "fell-mark" : "quiet")),
      },
    }], s.plots.layout({
      margin: { l: 66, r: 20, t: 12, b: 52 }, dragmode: false,
      xaxis: { title: { text: `${magnitude()} → changed more` }, zeroline: false },
      yaxis: { title: { text: data.scopes.length ? `← narrowed   ${scope()}   broadened →` : "" } },
    })).then(() => s.plots.on("chart", {
      click: ({ points }) => open(s.at("chart").words[points[0].pointIndex]),
      hover: ({ points, event }) => tip(event, s.at("chart").words[points[0].pointIndex]),
      unhover: s.tip.hide,
    }));
    s.at("chart").words = rows;
  }

  /** Where the names of the most changed words have room, by their places among the rows. */
  function labelled(rows, x, y) {
    const across = (s.at("chart").clientWidth - 90) / (Math.max(...x) - Math.min(...x) || 1);
    const up = (s.at("chart").clientHeight - 70) / (Math.max(...y) - Math.min(...y) || 1);
    const box = (k, [from, to, low, high]) => ({
      from: x[k] * across + from, to: x[k] * across + to, low: y[k] * up + low, high: y[k] * up + high,
    });
    const marks = [...x.keys()].map((k) => box(k, [-5, 5, -5, 5]));
    const meet = (a, b) => a.from < b.to && a.to > b.from && a.low < b.high && a.high > b.low;
    const end = Math.max(...x) * across + 20, taken = [], named = new Map();
    for (const k of [...x.keys()].sort((a, b) => x[b] - x[a]).slice(0, TRIED)) {
      if (named.size === LABELLED) break;
      const width = 12 + 7.5 * Math.min(24, label(rows[k]).length);
      for (const [side, sized] of SIDES) {
        const place = box(k, sized(width));
        if (place.to > end || taken.some((other) => meet(place, other))) continue;
        if (marks.some((mark, other) => other !== k && meet(place, mark))) continue;
        taken.push(place);
        named.set(k, side);
        break;
      }
    }
    return named;
  }

  const label = (row) => (data.several ? `${row.word} ${row.old}→${row.new}` : row.word);

  function tip(event, row) {
    const figures = [magnitude(), data.scopes.length && scope()].filter(Boolean)
      .map((name) => `${name} ${s.number(row.measures[name], 3)}`).join(", ");
    s.tip.show(event, s.make("strong", { dir: "auto" }, row.word), s.make("div", {}, `${row.verdict}. ${figures}`));
    s.at("chart").style.cursor = "pointer";
  }

  function open(row) {
    s.tip.hide();
    location.hash = s.overview.link(row);
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
    label,
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
          const down = by === sorted.by ? !sorted.down : !["word", "old", "significance"].includes(by);
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
