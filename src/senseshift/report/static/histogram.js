"use strict";
/* SUS of all usages: new ones upwards, old ones downwards, and behind them what chance makes of
   such usages. Dragging selects a range. */

(function (s) {
  const BINS = 40;
  const ROOM = { left: 62, right: 12, top: 26, bottom: 46 };
  let picture = null;
  let across = null; // from SUS to pixels

  /** Edges of bins of equal width, one of them zero; where all is nothing, one about zero. */
  function edges(values) {
    const [low, high] = s.extremes([...values, 0]);
    if (high - low < 1e-9) return { width: 0.02, from: -0.5, count: 1 };
    const width = (high - low) / BINS, from = Math.floor(low / width + 1e-9);
    return { width, from, count: Math.max(Math.ceil(high / width - 1e-9), from + 1) - from };
  }

  function counts(model, bins, mask) {
    const sides = [new Array(bins.count).fill(0), new Array(bins.count).fill(0)];
    model.sus.forEach((value, k) => {
      if (mask && !mask[k]) return;
      const bin = Math.min(bins.count - 1, Math.max(0, Math.floor(value / bins.width - bins.from + 1e-9)));
      sides[model.isNew(k) ? 1 : 0][bin] += 1;
    });
    return sides;
  }

  /** How many usages of a side would be in each bin by chance: SUS under permutation is known by its
      quantiles, between which it is taken to be spread evenly. */
  function byChance(values, usages, bins) {
    const below = (edge) => {
      const place = values.findIndex((value) => value > edge);
      if (place <= 0) return place === 0 ? 0 : 1;
      return (place - 1 + (edge - values[place - 1]) / (values[place] - values[place - 1])) / (values.length - 1);
    };
    return [...Array(bins.count).keys()].map((k) => usages * (below((bins.from + k + 1) * bins.width) - below((bins.from + k) * bins.width)));
  }

  function draw(pen, { width, height }) {
    const { model, state } = s.shown, bins = edges(model.sus), chance = model.data.null;
    const sides = counts(model, bins, null), part = counts(model, bins, state.active);
    const beyond = counts(model, bins, s.mask.both(model.beyond, state.active));
    const expected = chance ? [byChance(chance[0], model.olds, bins), byChance(chance[1], model.size - model.olds, bins)] : [];
    const most = Math.max(...sides.flat(), ...expected.flat(), 1);
    const { axes } = s, bottom = height - ROOM.bottom;
    across = axes.scale((bins.from - 0.5) * bins.width, (bins.from + bins.count + 0.5) * bins.width, ROOM.left, width - ROOM.right);
    const up = axes.scale(-most * 1.06, most * 1.06, bottom, ROOM.top);
    const steps = axes.ticks(0, most, 3).filter((value) => Number.isInteger(value) && value > 0);
    const ticks = [...steps.map((value) => -value).reverse(), 0, ...steps];
    axes.up(pen, up, { left: ROOM.left, right: width - ROOM.right, ticks, text: ticks.map((value) => s.count(Math.abs(value))), title: "← old   new →" });
    axes.across(pen, across, { top: ROOM.top, bottom, title: "← fell   SUS   rose →", grid: false });
    pen.line([[across(0), ROOM.top], [across(0), bottom]], { stroke: s.colours.css("edge") });
    expected.forEach((side, k) => outline(pen, side, k ? 1 : -1, bins, up));
    const bars = (of, fills, opacity) => of.forEach((side, k) => side.forEach((count, bin) => {
      if (!count) return;
      const from = across((bins.from + bin + 0.04) * bins.width), to = across((bins.from + bin + 0.96) * bins.width);
      const y = up(k ? count : -count), zero = up(0);
      pen.rect(from, Math.min(y, zero), to - from, Math.abs(zero - y), { fill: fills[k], opacity });
    }));
    // Only what goes beyond chance has the colours of what fell and rose.
    const grey = s.colours.css("bar-within");
    if (state.active) bars(sides, [grey, grey], 0.25);
    bars(part, [grey, grey], 1);
    bars(beyond, [s.colours.css("fell-mark"), s.colours.css("rose-mark")], 1);
    if (expected.length) key(pen, width);
    // A usage can be pointed at in its bar only by a range: there is nothing else to hit.
    return null;
  }

  /** What chance makes, as an outline with a light ground. */
  function outline(pen, side, sign, bins, up) {
    const points = [[across(bins.from * bins.width), up(0)]];
    side.forEach((count, bin) => {
      for (const edge of [bin, bin + 1]) points.push([across((bins.from + edge) * bins.width), up(sign * count)]);
    });
    points.push([across((bins.from + bins.count) * bins.width), up(0)]);
    pen.line(points, { fill: s.colours.css("within"), opacity: 0.45 });
    pen.line(points, { stroke: s.colours.css("quiet"), width: 1, opacity: 0.9 });
  }

  function key(pen, width) {
    const text = "outline: by chance", quiet = s.colours.css("quiet");
    const shown = s.pens.cut(text, width - 60, 12), x = width - ROOM.right - s.pens.wide(shown, 12);
    pen.rect(x - 20, 7, 14, 10, { fill: s.colours.css("within"), stroke: quiet, opacity: 0.8 });
    pen.text(x, 12, shown, { size: 12, fill: quiet });
  }

  function selectRange(from, to, event) {
    const low = Math.min(from, to), high = Math.max(from, to);
    const { model } = s.shown;
    s.select(model.sus.flatMap((value, k) => (value >= low && value <= high ? [k] : [])),
      `SUS from ${s.number(low)} to ${s.number(high)}`, event);
  }

  s.views.histogram = {
    scale: () => across,

    start() {
      picture = new s.Picture("histogram", {
        paint: draw, drag: () => "range",
        outlined: ({ points }, event) => selectRange(across.value(points[0][0]), across.value(points[points.length - 1][0]), event),
      });
      const asked = () => {
        const [low, high] = s.extremes(s.shown.model.sus);
        const read = (id, otherwise) => (s.at(id).value === "" ? otherwise : Number(s.at(id).value));
        selectRange(read("sus-from", low), read("sus-to", high));
      };
      s.at("sus-select").addEventListener("click", asked);
      for (const id of ["sus-from", "sus-to"]) s.at(id).addEventListener("keydown", (event) => event.key === "Enter" && asked());
    },

    update(model, state, changed) {
      if (["word", "theme", "active"].some((name) => changed.has(name))) picture.draw();
    },
  };
})(window.senseshift);
