"use strict";
/* SUS of all usages: new ones upwards, old ones downwards. Dragging selects a range. */

(function (s) {
  const BINS = 40;

  /** Edges of bins of equal width, one of them zero. */
  function edges(values) {
    const low = Math.min(0, ...s.extremes(values)), high = Math.max(0, ...s.extremes(values));
    const width = (high - low) / BINS || 1;
    const from = Math.floor(low / width), to = Math.max(Math.ceil(high / width), from + 1);
    return { width, from, count: to - from };
  }

  function counts(model, bins, mask) {
    const sides = [new Array(bins.count).fill(0), new Array(bins.count).fill(0)];
    model.sus.forEach((value, k) => {
      if (mask && !mask[k]) return;
      const bin = Math.min(bins.count - 1, Math.max(0, Math.floor(value / bins.width) - bins.from));
      sides[model.isNew(k) ? 1 : 0][bin] += 1;
    });
    return [sides[0].map((count) => -count), sides[1]];
  }

  function traces(model, state) {
    const bins = edges(model.sus);
    const x = [...Array(bins.count).keys()].map((k) => (bins.from + k + 0.5) * bins.width);
    const colour = x.map((value) => s.colours.css(value < 0 ? "fell-mark" : "rose-mark"));
    const bars = (mask, opacity) => counts(model, bins, mask).map((y) => ({
      type: "bar", x, y, width: bins.width * 0.92, hoverinfo: "none", marker: { color: colour, opacity, line: { width: 0 } },
      selected: { marker: { opacity } }, unselected: { marker: { opacity } },
    }));
    return [...bars(null, state.active ? 0.22 : 1), ...(state.active ? bars(state.active, 1) : [])];
  }

  function layout(model) {
    const chance = model.data.chance || [];
    const note = (x, text, anchor) => ({
      x, y: 1, yref: "paper", text, showarrow: false, xanchor: anchor, yanchor: "top", font: { size: 11, color: s.colours.css("quiet") },
    });
    const bins = edges(model.sus);
    const most = Math.max(...counts(model, bins, null).flat().map(Math.abs));
    const ends = [bins.from - 0.5, bins.from + bins.count + 0.5].map((edge) => edge * bins.width);
    return s.plots.layout({
      barmode: "overlay", dragmode: "select", selectdirection: "h", bargap: 0, selections: [], selectionrevision: Math.random(),
      margin: { l: 56, r: 12, t: 8, b: 40 },
      newselection: { line: { color: s.colours.css("ink"), width: 1.5, dash: "dot" } },
      xaxis: { title: { text: "← fell   SUS   rose →" }, zeroline: true, range: ends },
      yaxis: { range: [-most * 1.12, most * 1.3], tickvals: ticks(most), ticktext: ticks(most).map(Math.abs), title: { text: "← old   new →" } },
      shapes: chance.map((x) => ({
        type: "line", x0: x, x1: x, y0: 0, y1: 1, yref: "paper", line: { dash: "dot", width: 1, color: s.colours.css("quiet") },
      })),
      annotations: chance.map((x, side) => note(x, side ? " by chance" : "by chance ", side ? "left" : "right")),
    });
  }

  function ticks(most) {
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((size) => most / size <= 3) || most;
    const up = [];
    for (let value = step; value <= most; value += step) up.push(value);
    return [...up.map((value) => -value).reverse(), 0, ...up];
  }

  function selectRange(from, to) {
    const low = Math.min(from, to), high = Math.max(from, to);
    const { model } = s.shown;
    s.select(model.sus.flatMap((value, k) => (value >= low && value <= high ? [k] : [])),
      `SUS from ${s.number(low)} to ${s.number(high)}`);
  }

  s.views.histogram = {
    start() {
      s.at("sus-select").addEventListener("click", () => {
        const [low, high] = s.extremes(s.shown.model.sus);
        const read = (id, otherwise) => (s.at(id).value === "" ? otherwise : Number(s.at(id).value));
        selectRange(read("sus-from", low), read("sus-to", high));
      });
    },

    async update(model, state, changed) {
      if (!["word", "theme", "active"].some((name) => changed.has(name))) return;
      await s.plots.draw("histogram", traces(model, state), layout(model));
      s.plots.on("histogram", {
        selected: (event) => event && event.range && selectRange(...event.range.x),
      });
    },
  };
})(window.senseshift);
