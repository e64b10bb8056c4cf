"use strict";
/* The map: circles are old usages, squares new ones. A lasso or a box selects, a click chooses. */

(function (s) {
  let drag = "lasso";

  /** What the colour of every usage stands for, for plotly. */
  function colouring(model, by) {
    const score = model.score(by);
    if (score) {
      const limits = model.data.scores[by].scale;
      const values = score.squashed ? model[by].map(s.colours.squash) : model[by];
      return { values, scale: { colorscale: s.colours.scale(limits), cmin: -limits[1], cmax: limits[1] } };
    }
    const labels = s.colours.labels(model[by]);
    const none = s.colours.css("card");
    return { values: model[by].map((label) => labels.get(label) || none), scale: {} };
  }

  const halves = (model, values) => [values.slice(0, model.olds), values.slice(model.olds)];

  /** For both periods the places of the active usages in it; null where all are. */
  function selected(model, active) {
    if (!active) return [null, null];
    return halves(model, [...active]).map((side) => [...side.keys()].filter((k) => side[k]));
  }

  function traces(model, state) {
    const { values, scale } = colouring(model, state.colour);
    const [x, y, colours] = [model.x, model.y, values].map((column) => halves(model, column));
    const points = selected(model, state.active), many = model.size > 2500;
    const outline = s.colours.css("outline");
    const marks = ["circle", "square"].map((symbol, side) => ({
      type: s.plots.kind(model.size), mode: "markers", x: x[side], y: y[side], hoverinfo: "none",
      selectedpoints: points[side],
      marker: {
        symbol, color: colours[side], ...scale, size: many ? 5 : symbol === "square" ? 9 : 10,
        opacity: 0.95, line: { color: outline, width: many ? 0.3 : 0.9 },
      },
      selected: { marker: { opacity: 0.95 } }, unselected: { marker: { opacity: 0.1 } },
    }));
    return [...marks, chosen(model, state)];
  }

  /** A ring about the chosen usage. */
  function chosen(model, state) {
    const at = state.usage === null ? [] : [state.usage];
    return {
      type: "scatter", mode: "markers", hoverinfo: "skip",
      x: at.map((k) => model.x[k]), y: at.map((k) => model.y[k]),
      marker: { symbol: "circle-open", size: 19, color: s.colours.css("ink"), line: { width: 2.5 } },
      unselected: { marker: { opacity: 1 } },
    };
  }

  /** Lines from the chosen usage to its partners, as thick as what they exchange. */
  function lines(model, state) {
    if (state.usage === null) return [];
    return model.partners(state.usage, state.plan).slice(0, 12).map(({ usage, share }) => ({
      type: "line", layer: "between", x0: model.x[state.usage], y0: model.y[state.usage], x1: model.x[usage], y1: model.y[usage],
      line: { color: s.colours.css("ink"), width: 1 + 4 * Math.min(1, share) },
      opacity: 0.75,
    }));
  }

  function layout(model, state) {
    const room = 40; // about the marks at the edge
    const axis = (values) => {
      const [low, high] = s.extremes(values);
      return { visible: false, fixedrange: false, range: [low - room, high + room] };
    };
    return s.plots.layout({
      margin: { l: 6, r: 6, t: 6, b: 6 }, dragmode: drag, uirevision: `${model.word} ${model.data.new}`,
      selectionrevision: Math.random(), shapes: lines(model, state), selections: [],
      newselection: { line: { color: s.colours.css("ink"), width: 1.5, dash: "dot" } },
      xaxis: axis(model.x), yaxis: { ...axis(model.y), scaleanchor: "x" },
    });
  }

  const usageOf = (model, point) => point.pointIndex + (point.curveNumber === 1 ? model.olds : 0);

  function select(event) {
    // Taking an outline away is told as a selection too, of nothing and without an outline.
    if (!event || !event.selections || !event.selections.length) return;
    const { model } = s.shown;
    const members = event.points.filter((point) => point.curveNumber < 2).map((point) => usageOf(model, point));
    s.select(members, "the map");
  }

  function zoom(factor) {
    const { _fullLayout: { xaxis, yaxis } } = s.at("map");
    const change = {};
    for (const [name, { range: [from, to] }] of [["xaxis", xaxis], ["yaxis", yaxis]]) {
      const middle = (from + to) / 2, half = ((to - from) / 2) * factor;
      change[`${name}.range`] = [middle - half, middle + half];
    }
    window.Plotly.relayout("map", change);
  }

  /** The colours explained; a label is a button that selects its usages. */
  function legend(model, state) {
    const shapes = ["old", "new"].map((period) => s.make("span", {},
      s.make("i", { class: `mark ${period}` }), s.make("bdi", {}, model.data[period]), model.data[period] === period ? "" : ` (${period})`));
    const scale = [];
    const score = model.score(state.colour);
    if (score) {
      const limits = model.data.scores[score.name].scale, end = limits[1];
      const value = score.squashed ? Math.expm1(end) : end, digits = Math.max(1, score.digits - 1);
      const bar = s.make("i", { class: "gradient" });
      bar.style.background = s.colours.gradient(limits);
      const [less, more] = score.ends;
      scale.push(s.make("span", { class: "scale" },
        `${less} ${s.number(-value, digits)}`, bar, `${s.number(value, digits, true)} ${more}`));
    } else {
      const labels = [...s.colours.labels(model[state.colour])].slice(0, 12);
      for (const [label, colour] of labels) {
        const swatch = s.make("i", { class: "swatch" });
        swatch.style.background = colour;
        scale.push(s.make("button", {
          type: "button", class: "quiet", title: "Select these usages",
          onclick: () => s.select(model[state.colour].flatMap((value, k) => (value === label ? [k] : [])), `${state.colour} ${label}`),
        }, swatch, s.make("bdi", {}, label)));
      }
      if (model[state.colour].includes(null)) scale.push(s.make("span", {}, s.make("i", { class: "swatch" }), "none"));
    }
    s.at("legend").replaceChildren(...shapes, s.make("span", { class: "spring" }), ...scale);
  }

  s.views.map = {
    start() {
      s.plots.wheel("map", () => drag === "pan");
      const buttons = document.querySelectorAll("[data-drag]");
      for (const button of buttons) {
        button.addEventListener("click", () => {
          drag = button.dataset.drag;
          s.press(buttons, (other) => other === button);
          window.Plotly.relayout("map", { dragmode: drag });
        });
      }
      s.at("zoom-in").addEventListener("click", () => zoom(1 / 1.5));
      s.at("zoom-out").addEventListener("click", () => zoom(1.5));
      s.at("zoom-all").addEventListener("click", () => {
        const { xaxis, yaxis } = layout(s.shown.model, s.shown.state);
        window.Plotly.relayout("map", { "xaxis.range": xaxis.range, "yaxis.range": yaxis.range });
      });
      s.at("colour").addEventListener("change", (event) => s.change({ colour: event.target.value }));
    },

    async update(model, state, changed) {
      if (changed.has("word") || changed.has("colour") || changed.has("theme")) {
        s.at("map-how").textContent = model.map === "t-SNE"
          ? "Lasso or box to select, click one to see its partners."
          : "(PCA, because there are very many.) Lasso or box to select, click one to see its partners.";
        legend(model, state);
        await s.plots.draw("map", traces(model, state), layout(model, state));
        s.plots.on("map", {
          selected: select,
          click: ({ points: [point] }) => s.change({ usage: usageOf(s.shown.model, point) }),
          hover: ({ points: [point], event }) => s.tip.show(event, ...s.usageTip(s.shown.model, usageOf(s.shown.model, point))),
          unhover: s.tip.hide,
        });
        return;
      }
      if (changed.has("active")) {
        await window.Plotly.update("map", { selectedpoints: selected(model, state.active) }, { selections: [] }, [0, 1]);
      }
      if (changed.has("usage") || changed.has("plan")) {
        const ring = chosen(model, state);
        await window.Plotly.update("map", { x: [ring.x], y: [ring.y] }, { shapes: lines(model, state) }, [2]);
      }
    },
  };
})(window.senseshift);
