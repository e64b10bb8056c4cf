"use strict";
/* The plan: old usages across, new ones up, a dot wherever mass goes from one to the other. */

(function (s) {
  /** What usages can be ordered by. */
  function orders(model) {
    return [
      ...model.labels,
      ["along", "place on the map"], ["sus", "SUS"],
    ];
  }

  /** The usages of one side in their order, and the place of each. */
  function arranged(model, by, from, to) {
    const keys = by === "along" ? model.along : model.keys(by);
    const usages = [...Array(to - from).keys()].map((k) => k + from)
      .sort((a, b) => keys[a] - keys[b] || model.along[a] - model.along[b]);
    const place = new Array(to - from);
    usages.forEach((usage, k) => { place[usage - from] = k; });
    return { usages, place };
  }

  /** Where one label ends and the next begins, and the middle of each. */
  function blocks(model, by, usages) {
    const labels = usages.map((usage) => model[by][usage]);
    const found = [];
    labels.forEach((label, k) => {
      if (k === 0 || label !== labels[k - 1]) found.push({ label, from: k, to: k });
      found[found.length - 1].to = k;
    });
    return found;
  }

  function dots(model, state, old, now) {
    const arcs = model.data.plans[state.plan];
    const x = arcs.from.map((k) => old.place[k]), y = arcs.to.map((k) => now.place[k]);
    const share = arcs.from.map((_, k) => Math.min(1, Math.max(arcs.shares[0][k], arcs.shares[1][k])));
    const lit = arcs.from.map((k, arc) => !state.active || state.active[k] || state.active[arcs.to[arc] + model.olds]);
    const mine = arcs.from.map((k, arc) => k === state.usage || arcs.to[arc] + model.olds === state.usage);
    const size = Math.max(3, Math.min(9, 600 / Math.max(old.usages.length, now.usages.length)));
    const [accent, ink] = ["accent", "ink"].map((name) => s.colours.css(name));
    return {
      type: s.plots.kind(x.length), mode: "markers", x, y, hoverinfo: "none",
      marker: {
        symbol: "square", size: mine.map((own) => (own ? size + 5 : size)), line: { width: 0 },
        color: mine.map((own) => (own ? accent : ink)),
        opacity: share.map((part, k) => (mine[k] ? 1 : (0.15 + 0.8 * part) * (lit[k] ? 1 : 0.12))),
      },
    };
  }

  function strip(model, usages, along) {
    const limits = model.data.scores.sus.scale, places = [...usages.keys()];
    const off = places.map(() => 0);
    return {
      type: s.plots.kind(usages.length), mode: "markers", hoverinfo: "none",
      x: along ? places : off, y: along ? off : places, ...(along ? { yaxis: "y2" } : { xaxis: "x2" }),
      marker: {
        symbol: "square", size: 9, color: usages.map((k) => model.sus[k]), line: { width: 0 },
        colorscale: s.colours.scale(limits), cmin: -limits[1], cmax: limits[1],
      },
    };
  }

  function layout(model, state, old, now) {
    const axis = (side, title) => {
      const labelled = model.labels.some(([name]) => name === state.order);
      const parts = labelled ? blocks(model, state.order, side.usages) : [];
      const wide = parts.filter(({ from, to }) => to - from + 1 >= side.usages.length / 25);
      return {
        title: { text: title, standoff: 14 }, showgrid: false, zeroline: false, range: [-0.8, side.usages.length - 0.2],
        tickvals: wide.map(({ from, to }) => (from + to) / 2),
        ticktext: wide.map(({ label }) => (label === null ? "–" : s.plotText(label, 12))),
        edges: parts.slice(1).map(({ from }) => from - 0.5),
      };
    };
    const [, ordered] = orders(model).find(([name]) => name === state.order);
    const across = axis(old, `old usages (${s.plotText(model.data.old)}) by ${ordered}`);
    const up = axis(now, `new usages (${s.plotText(model.data.new)}) by ${ordered}`);
    const edge = (x, y) => ({ type: "line", layer: "below", line: { color: s.colours.css("line"), width: 1 }, ...x, ...y });
    const shapes = [
      ...across.edges.map((at) => edge({ x0: at, x1: at }, { y0: 0, y1: 1, yref: "y domain" })),
      ...up.edges.map((at) => edge({ x0: 0, x1: 1, xref: "x domain" }, { y0: at, y1: at })),
    ];
    delete across.edges;
    delete up.edges;
    return s.plots.layout({
      dragmode: false, margin: { l: 84, r: 12, t: 8, b: 64 }, shapes,
      xaxis: { ...across, domain: [0, 0.965] }, yaxis: { ...up, domain: [0, 0.955] },
      xaxis2: { domain: [0.97, 1], range: [-1, 1], visible: false, fixedrange: true, anchor: "y" },
      yaxis2: { domain: [0.96, 1], range: [-1, 1], visible: false, fixedrange: true, anchor: "x" },
    });
  }

  let pairs = [];

  function tip(event, arc) {
    const { model, state } = s.shown, arcs = model.data.plans[state.plan];
    s.tip.show(event, s.quote(model, arcs.from[arc], 60), s.make("hr"), s.quote(model, arcs.to[arc] + model.olds, 60),
      s.make("div", { class: "quietly" }, `${s.percent(arcs.shares[0][arc])} of the old usage, ${s.percent(arcs.shares[1][arc])} of the new one`));
  }

  s.views.transport = {
    start() {
      const buttons = [...document.querySelectorAll("[data-plan]")];
      for (const button of buttons) button.addEventListener("click", () => s.change({ plan: button.dataset.plan }));
      s.at("order").addEventListener("change", (event) => s.change({ order: event.target.value }));
    },

    orders,

    async update(model, state, changed) {
      if (!["word", "theme", "active", "usage", "plan", "order"].some((name) => changed.has(name))) return;
      const buttons = [...document.querySelectorAll("[data-plan]")];
      s.press(buttons, (button) => button.dataset.plan === state.plan);
      const missing = !model.data.plans.ot;
      buttons[1].disabled = missing;
      s.at("plan-says").textContent = missing
        ? "Balanced transport is left out: too many usages."
        : state.plan === "uot" ? "Usages without a counterpart may stay alone." : "Every usage must find partners, however far.";
      const old = arranged(model, state.order, 0, model.olds), now = arranged(model, state.order, model.olds, model.size);
      pairs = [old.usages, now.usages];
      const traces = [dots(model, state, old, now), strip(model, old.usages, true), strip(model, now.usages, false)];
      await s.plots.draw("transport", traces, layout(model, state, old, now));
      s.plots.on("transport", {
        hover: ({ points: [point], event }) => (point.curveNumber === 0
          ? tip(event, point.pointIndex)
          : s.tip.show(event, ...s.usageTip(s.shown.model, pairs[point.curveNumber - 1][point.pointIndex]))),
        unhover: s.tip.hide,
        click: ({ points: [point] }) => {
          const { model: shown, state: { plan } } = s.shown;
          const usage = point.curveNumber === 0
            ? shown.data.plans[plan].to[point.pointIndex] + shown.olds : pairs[point.curveNumber - 1][point.pointIndex];
          s.change({ usage });
        },
      });
    },
  };
})(window.senseshift);
