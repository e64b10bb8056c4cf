"use strict";
/* The map: circles are old usages, squares new ones. A lasso or a box selects, a click chooses. */

(function (s) {
  const EDGE = 14; // pixels about the marks at the edge
  const MANY = 2500; // usages from which on marks are small
  const NAMES = 9; // senses that are named on the map
  let drag = "lasso";
  let picture = null;
  let view = null; // the middle of what is shown and how many pixels a unit of the map has; null for all
  let paint = null; // of each usage

  /** The colour of every usage. What is within chance is grey where excess is shown. */
  function colouring(model, by) {
    const score = model.score(by);
    if (!score) {
      const labels = s.colours.labels(model[by]), none = s.colours.css("card");
      return model[by].map((label) => labels.get(label) || none);
    }
    const shade = s.colours.shade(s.received.index.scales[by]), within = s.colours.css("within");
    return model[by].map((value, k) => {
      if (value === null || (by === "excess" && !model.beyond[k])) return within;
      return shade(score.squashed ? s.colours.squash(value) : value);
    });
  }

  s.colouring = colouring;

  /** Where usages lie in a picture of some size. */
  function places(model, { width, height }) {
    const [left, right] = s.extremes(model.x), [low, high] = s.extremes(model.y);
    const whole = { x: (left + right) / 2, y: (low + high) / 2, unit: Math.min((width - 2 * EDGE) / (right - left || 1), (height - 2 * EDGE) / (high - low || 1)) };
    const { x, y, unit } = view || whole;
    return {
      whole, x: Float32Array.from(model.x, (at) => width / 2 + (at - x) * unit),
      y: Float32Array.from(model.y, (at) => height / 2 - (at - y) * unit),
    };
  }

  function draw(pen, size) {
    const { model, state } = s.shown, at = places(model, size), many = model.size > MANY;
    const outline = s.colours.css("outline"), ink = s.colours.css("ink");
    const mark = (k, opacity) => pen.mark(model.isNew(k) ? "square" : "circle", at.x[k], at.y[k], many ? 5 : model.isNew(k) ? 9 : 10,
      { fill: paint[k], stroke: many ? null : outline, width: 0.9, opacity });
    // What is grey lies below what has a colour, and what is not selected below what is.
    const order = [...at.x.keys()].sort((a, b) => model.beyond[a] - model.beyond[b]);
    if (state.active) for (const k of order) if (!state.active[k]) mark(k, 0.1);
    if (state.usage !== null) lines(pen, model, state, at, ink);
    for (const k of order) if (!state.active || state.active[k]) mark(k, 0.95);
    if (state.usage !== null) pen.mark("circle", at.x[state.usage], at.y[state.usage], 19, { stroke: ink, width: 2.5 });
    names(pen, model, at, size);
    return at;
  }

  /** Lines from the chosen usage to its partners, as thick as what they exchange. */
  function lines(pen, model, state, at, ink) {
    for (const { usage, share } of model.partners(state.usage, state.plan).slice(0, 12)) {
      pen.line([[at.x[state.usage], at.y[state.usage]], [at.x[usage], at.y[usage]]], { stroke: ink, width: 1 + 4 * Math.min(1, share), opacity: 0.75 });
    }
  }

  /** The names of the senses above their usages, the largest first, where there is room. */
  function names(pen, model, at, { width, height }) {
    const taken = [], quantile = (values, share) => values.sort((a, b) => a - b)[Math.floor(values.length * share)];
    const largest = [...model.senses].sort((a, b) => b.members.length - a.members.length).slice(0, NAMES);
    if (largest.length < 2) return;
    for (const { name, members } of largest) {
      if (!members.length) continue;
      const x = quantile(members.map((k) => at.x[k]), 0.5), y = Math.max(12, quantile(members.map((k) => at.y[k]), 0.1) - 14);
      const text = s.pens.cut(name, Math.min(220, width / 2), 13, 600), half = s.pens.wide(text, 13, 600) / 2;
      const here = Math.min(Math.max(x, half + 4), width - half - 4);
      const box = [here - half - 4, here + half + 4, y - 11, y + 11];
      if (y < 10 || y > height - 10 || taken.some(([l, r, t, b]) => box[0] < r && box[1] > l && box[2] < b && box[3] > t)) continue;
      taken.push(box);
      pen.text(here, y, text, { fill: s.colours.css("ink"), anchor: "middle", weight: 600, halo: s.colours.css("card") });
    }
  }

  function zoom(factor, px, py) {
    const { width, height } = picture.size, { whole } = places(s.shown.model, { width, height });
    const now = view || whole, unit = now.unit / factor;
    const [dx, dy] = px === undefined ? [0, 0] : [px - width / 2, height / 2 - py];
    view = { x: now.x + dx / now.unit - dx / unit, y: now.y + dy / now.unit - dy / unit, unit };
    picture.soon();
  }

  function move(dx, dy) {
    const now = view || places(s.shown.model, picture.size).whole;
    view = { x: now.x - dx / now.unit, y: now.y + dy / now.unit, unit: now.unit };
    picture.soon();
  }

  /** The colours explained; a label is a button that selects its usages. */
  function legend(model, state) {
    const shapes = ["old", "new"].map((period) => s.make("span", {},
      s.make("i", { class: `mark ${period}` }), s.make("bdi", {}, model.data[period]), model.data[period] === period ? "" : ` (${period})`));
    const score = model.score(state.colour);
    s.at("legend").replaceChildren(...shapes, s.make("span", { class: "spring" }), ...(score ? scale(score) : labels(model, state.colour)));
  }

  function scale(score) {
    const limits = s.received.index.scales[score.name], end = limits[1];
    const value = score.squashed ? Math.expm1(end) : end, digits = Math.max(1, score.digits - 1);
    const bar = s.make("i", { class: "gradient" });
    bar.style.background = s.colours.gradient(limits);
    const [less, more] = score.ends;
    const within = score.name === "excess" ? [s.make("span", {}, s.make("i", { class: "swatch within" }), "within chance")] : [];
    return [...within, s.make("span", { class: "scale" }, `${less} ${s.number(-value, digits)}`, bar, `${s.number(value, digits, true)} ${more}`)];
  }

  function labels(model, by) {
    const found = [...s.colours.labels(model[by])].slice(0, 12).map(([label, colour]) => {
      const swatch = s.make("i", { class: "swatch" });
      swatch.style.background = colour;
      return s.make("button", {
        type: "button", class: "quiet", title: "Select these usages",
        onclick: () => s.select(model[by].flatMap((value, k) => (value === label ? [k] : [])), `${by} ${label}`),
      }, swatch, s.make("bdi", {}, model.nameOf(by, label)));
    });
    return [...found, ...(model[by].includes(null) ? [s.make("span", {}, s.make("i", { class: "swatch" }), "none")] : [])];
  }

  s.views.map = {
    start() {
      picture = new s.Picture("map", {
        paint: draw, tip: (k) => s.usageTip(s.shown.model, k), choose: s.choose,
        drag: () => drag, moved: move, zoomed: zoom,
        key: (pen, box) => s.panels.key(pen, s.shown.model, s.shown.state.colour, box),
        outlined: (outline, event) => s.select(picture.within(outline), "the map", event),
      });
      const buttons = document.querySelectorAll("[data-drag]");
      for (const button of buttons) {
        button.addEventListener("click", () => {
          drag = button.dataset.drag;
          s.press(buttons, (other) => other === button);
        });
      }
      s.at("zoom-in").addEventListener("click", () => zoom(1 / 1.5));
      s.at("zoom-out").addEventListener("click", () => zoom(1.5));
      s.at("zoom-all").addEventListener("click", () => { view = null; picture.draw(); });
      s.at("colour").addEventListener("change", (event) => s.change({ colour: event.target.value }));
    },

    update(model, state, changed) {
      const shown = ["word", "colour", "theme"].some((name) => changed.has(name));
      if (!shown && !["active", "usage", "plan"].some((name) => changed.has(name))) return;
      if (changed.has("word")) {
        view = null;
        s.at("map-how").textContent = `${model.map === "t-SNE" ? "" : "(PCA, because there are very many.) "}Lasso or box to select, click one to see its partners.`;
      }
      if (shown) {
        paint = colouring(model, state.colour);
        legend(model, state);
      }
      picture.draw();
    },
  };
})(window.senseshift);
