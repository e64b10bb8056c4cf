"use strict";
/* Two words side by side: what is said of each, and pictures on scales that both share. */

(function (s) {
  let wide = 620; // of a picture: as much as a column has room for, so that letters keep their size
  const css = (name) => s.colours.css(name);
  let models = null;

  const rowOf = (model) => s.overview.rows.find((row) => row.word === model.word && row.old === model.data.old && row.new === model.data.new);

  /** A picture as an element that says what it shows. */
  function picture(height, says, draw) {
    const pen = new s.pens.SvgPen(wide, height);
    draw(pen);
    pen.root.setAttribute("role", "img");
    pen.root.setAttribute("aria-label", says);
    return pen.root;
  }

  /** The change of a word with its interval, on the scale of both. */
  function change(model, high) {
    const { measures, change: [low, up, chance] } = model.data, value = measures.change;
    if (value === null || value === undefined) return null;
    const at = s.axes.scale(0, high, 20, wide - 20);
    return picture(74, `change ${s.number(value)}`, (pen) => {
      s.axes.across(pen, at, { top: 6, bottom: 30, title: "change" });
      if (low !== null) pen.line([[at(low), 18], [at(up), 18]], { stroke: css("ink"), width: 2 });
      if (chance !== null) pen.line([[at(chance), 8], [at(chance), 28]], { stroke: css("quiet"), dash: [3, 3] });
      pen.mark("circle", at(value), 18, 11, { fill: css("ink") });
    });
  }

  /** How SUS is spread: the share of each period's usages in bins that both words share. */
  function spread(model, [low, high], most) {
    const across = s.axes.scale(low, high, 56, wide - 12), up = s.axes.scale(-most, most, 160, 8);
    return picture(200, "SUS of the usages, new ones upwards, old ones downwards", (pen) => {
      const ticks = s.axes.ticks(0, most, 2).filter((value) => value > 0);
      const both = [...ticks.map((value) => -value).reverse(), 0, ...ticks];
      s.axes.up(pen, up, { left: 56, right: wide - 12, ticks: both, text: both.map((value) => s.percent(Math.abs(value))) });
      s.axes.across(pen, across, { top: 8, bottom: 160, title: "← fell   SUS   rose →", grid: false });
      const bars = (sides, fill) => sides.forEach((side, k) => side.forEach((share, bin) => {
        const width = (high - low) / side.length, x = across(low + bin * width), y = up(k ? share : -share), zero = up(0);
        if (share) pen.rect(x + 0.5, Math.min(y, zero), across(low + (bin + 1) * width) - x - 1, Math.abs(zero - y), { fill: fill[k] });
      }));
      bars(bins(model, low, high), [css("within"), css("within")]);
      bars(bins(model, low, high, model.beyond), [css("fell-mark"), css("rose-mark")]);
    });
  }

  function bins(model, low, high, mask = null) {
    const sides = [new Array(30).fill(0), new Array(30).fill(0)];
    model.sus.forEach((value, k) => {
      if (mask && !mask[k]) return;
      const size = model.isNew(k) ? model.size - model.olds : model.olds;
      sides[model.isNew(k) ? 1 : 0][Math.min(29, Math.floor((30 * (value - low)) / (high - low)))] += 1 / size;
    });
    return sides;
  }

  function column(model, scales) {
    const [first, ...rest] = model.data.summary, by = model.usual, row = rowOf(model);
    const rows = Math.max(...models.map(({ senses, periods }) => Math.min(7, senses.length) * (34 + 24 * periods.length))) || 30;
    return s.make("section", { class: "panel", "aria-label": s.overview.label(row) },
      s.make("h2", {}, s.make("a", { href: s.overview.link(row) }, s.make("bdi", {}, s.overview.label(row)))),
      s.make("p", { class: "quietly" }, `${s.count(model.olds)} old and ${s.count(model.size - model.olds)} new usages`, row.p === null ? "" : `, ${s.chance(row.p)}`),
      s.make("p", { class: "first" }, first), ...rest.map((text) => s.make("p", { class: "quietly" }, text)),
      change(model, scales.change),
      s.make("h3", {}, "Senses"),
      picture(rows + 26, "Shares of the senses in every period", (pen) => s.panels.bars(pen, model, { x: 0, y: 4, width: wide, height: rows + 30 })),
      s.make("h3", {}, "SUS of every usage"), s.make("p", { class: "quietly" }, "New usages upwards, old ones downwards; those matched worse than chance has it are in colour."), spread(model, scales.sus, scales.most),
      s.make("h3", {}, "Map"),
      picture(470, "Map of the usages", (pen) => {
        s.panels.map(pen, model, by, null, { x: 0, y: 0, width: wide, height: 400 });
        s.panels.key(pen, model, by, { x: 0, y: 408, width: wide });
      }));
  }

  function draw() {
    if (!models) return;
    const room = s.at("compare-words").clientWidth;
    wide = Math.max(280, Math.min(620, (room < 900 ? room : room / 2) - 60));
    const [low, high] = s.extremes(models.flatMap(({ sus }) => [...s.extremes(sus), -0.01, 0.01]));
    const scales = {
      sus: [low, high], most: Math.max(...models.flatMap((model) => bins(model, low, high).flat())) * 1.05,
      change: Math.max(0.01, ...models.flatMap(({ data: { measures, change: ends } }) => [measures.change, ...ends].filter(Number.isFinite))) * 1.05,
    };
    s.at("compare-words").replaceChildren(...models.map((model) => column(model, scales)));
  }

  s.compare = {
    start() {
      addEventListener("resize", () => s.later("compare", draw));
      s.at("with").addEventListener("change", (event) => {
        if (!event.target.value) return;
        location.hash = s.fragment.text({ word: s.shown.model.word, pair: s.shown.pair || null, with: event.target.value, list: s.overview.list() });
      });
    },

    /** What a word can be compared with. */
    options(word) {
      const others = [...new Set(s.overview.rows.map((row) => row.word))].filter((other) => other !== word).sort(s.natural);
      s.at("with").replaceChildren(s.make("option", { value: "" }, "…"), ...others.map((other) => s.make("option", {}, other)));
      s.at("with-label").hidden = !others.length;
    },

    /** Two words, in the same pair of periods if both have it. */
    show(one, other, asked) {
      const first = new s.Model(one, one.pairs[Number(asked.pair)] ? Number(asked.pair) : 0);
      const same = other.pairs.findIndex((pair) => pair.old === first.data.old && pair.new === first.data.new);
      models = [first, new s.Model(other, Math.max(0, same))];
      const names = models.map(({ word }) => s.make("bdi", {}, word));
      s.at("compare-name").replaceChildren(names[0], " and ", names[1]);
      document.title = `${models[0].word} and ${models[1].word} · senseshift`;
      s.at("compare-back").href = s.overview.link(rowOf(first));
      s.at("compare-back").replaceChildren("← ", s.make("bdi", {}, models[0].word));
      draw();
    },

    redraw: draw,
    leave() { models = null; },
  };
})(window.senseshift);
