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

  const ROOM = { left: 92, right: 14, top: 8, bottom: 66, strip: 14 };
  let picture = null;
  let pointed = []; // what every place of the picture stands for: an arc, or a usage

  function draw(pen, { width, height }) {
    const { model, state } = s.shown, arcs = model.data.plans[state.plan];
    const old = arranged(model, state.order, 0, model.olds), now = arranged(model, state.order, model.olds, model.size);
    const right = width - ROOM.right - ROOM.strip, top = ROOM.top + ROOM.strip, bottom = height - ROOM.bottom;
    const x = s.axes.scale(-0.8, old.usages.length - 0.2, ROOM.left, right - 3);
    const y = s.axes.scale(-0.8, now.usages.length - 0.2, bottom, top + 3);
    axes(pen, model, state, { old, now, x, y, top, bottom, right });
    const [accent, ink] = ["accent", "ink"].map((name) => s.colours.css(name));
    const size = Math.max(2, Math.min(8, 600 / Math.max(old.usages.length, now.usages.length)));
    const spots = { x: [], y: [] };
    pointed = [];
    const mine = [];
    arcs.from.forEach((k, arc) => {
      const to = arcs.to[arc] + model.olds, place = [x(old.place[k]), y(now.place[arcs.to[arc]])];
      const lit = !state.active || state.active[k] || state.active[to];
      const part = Math.min(1, Math.max(arcs.shares[0][arc], arcs.shares[1][arc]));
      if (k === state.usage || to === state.usage) mine.push(place);
      else pen.mark("square", ...place, size, { fill: ink, opacity: (0.15 + 0.8 * part) * (lit ? 1 : 0.12) });
      spots.x.push(place[0]);
      spots.y.push(place[1]);
      pointed.push({ arc });
    });
    for (const place of mine) pen.mark("square", ...place, size + 5, { fill: accent });
    const shade = s.colours.shade(s.received.index.scales.sus);
    const strip = (side, place) => side.usages.forEach((usage, k) => {
      const at = place(k);
      pen.mark("square", ...at, 9, { fill: shade(model.sus[usage]) });
      spots.x.push(at[0]);
      spots.y.push(at[1]);
      pointed.push({ usage });
    });
    strip(old, (k) => [x(k), ROOM.top + 4]);
    strip(now, (k) => [width - ROOM.right - 4, y(k)]);
    return spots;
  }

  /** Which usages stand where: their labels, and lines between these. */
  function axes(pen, model, state, { old, now, x, y, top, bottom, right }) {
    const labelled = model.labels.some(([name]) => name === state.order);
    const parts = (side) => (labelled ? blocks(model, state.order, side.usages) : []);
    const wide = (found, side) => found.filter(({ from, to }) => to - from + 1 >= side.usages.length / 20);
    const middle = ({ from, to }) => (from + to) / 2, line = { stroke: s.colours.css("line") };
    const name = ({ label }, room) => (label === null ? "–" : s.pens.cut(model.nameOf(state.order, label), room, 12));
    const [, ordered] = orders(model).find(([one]) => one === state.order);
    const [across, up] = [parts(old), parts(now)];
    for (const { from } of across.slice(1)) pen.line([[x(from - 0.5), top], [x(from - 0.5), bottom]], line);
    for (const { from } of up.slice(1)) pen.line([[ROOM.left, y(from - 0.5)], [right, y(from - 0.5)]], line);
    pen.line([[ROOM.left, top], [ROOM.left, bottom], [right, bottom]], { stroke: s.colours.css("edge") });
    const title = (text, room) => s.pens.cut(text, room, 13);
    const widths = (part) => x(part.to + 0.5) - x(part.from - 0.5) - 4;
    s.axes.across(pen, x, { top, bottom, grid: false, ticks: wide(across, old).map(middle), text: wide(across, old).map((part) => name(part, widths(part))), title: title(`old usages (${model.data.old}) by ${ordered}`, right - ROOM.left) });
    s.axes.up(pen, y, { left: ROOM.left, right, grid: false, room: 78, ticks: wide(up, now).map(middle), text: wide(up, now).map((part) => name(part, 62)), title: title(`new usages (${model.data.new}) by ${ordered}`, bottom - top) });
  }

  function tip({ arc, usage }) {
    const { model, state } = s.shown, arcs = model.data.plans[state.plan];
    if (arc === undefined) return s.usageTip(model, usage);
    return [s.quote(model, arcs.from[arc], 60), s.make("hr"), s.quote(model, arcs.to[arc] + model.olds, 60),
      s.make("div", { class: "quietly" }, `${s.percent(arcs.shares[0][arc])} of the old usage, ${s.percent(arcs.shares[1][arc])} of the new one`)];
  }

  function choose({ arc, usage }) {
    const { model, state } = s.shown;
    s.choose(arc === undefined ? usage : model.data.plans[state.plan].to[arc] + model.olds);
  }

  s.views.transport = {
    start() {
      picture = new s.Picture("transport", { paint: draw, tip: (k) => tip(pointed[k]), choose: (k) => choose(pointed[k]) });
      const buttons = [...document.querySelectorAll("[data-plan]")];
      for (const button of buttons) button.addEventListener("click", () => s.change({ plan: button.dataset.plan }));
      s.at("order").addEventListener("change", (event) => s.change({ order: event.target.value }));
    },

    orders,

    update(model, state, changed) {
      if (!["word", "theme", "active", "usage", "plan", "order"].some((name) => changed.has(name))) return;
      const buttons = [...document.querySelectorAll("[data-plan]")];
      s.press(buttons, (button) => button.dataset.plan === state.plan);
      const missing = !model.data.plans.ot;
      buttons[1].disabled = missing;
      s.at("plan-says").textContent = missing
        ? "Balanced transport is left out: too many usages."
        : state.plan === "uot" ? "Usages may keep a part of their weight: SUS says how much." : "Every usage must find partners, however far.";
      picture.draw();
    },
  };
})(window.senseshift);
