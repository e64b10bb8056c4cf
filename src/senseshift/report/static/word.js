"use strict";
/* The page of a word: what is shown, and how a change reaches every view of it. */

(function (s) {
  const DEFAULTS = { descending: true, find: "", usage: null, plan: "uot" };
  const AT_ONCE = ["senses", "concordance", "downloads"];
  const TYPING = 150; // ms
  const PICTURES = ["map", "histogram", "transport"]; // drawn after the next paint

  s.shown = null;

  /** Change what is shown: every view is told what became different. */
  s.change = function (patch) {
    const { model, state } = s.shown;
    const changed = new Set(Object.keys(patch));
    Object.assign(state, patch);
    if (changed.has("find")) state.matches = model.matching(state.find);
    if (changed.has("selection") || changed.has("find")) {
      state.active = s.mask.both(state.selection, state.matches);
      changed.add("active");
    }
    if (["find", "sort", "descending", "listed"].some((name) => changed.has(name))) {
      state.lines = listed(model, state);
      changed.add("lines");
    }
    update(changed);
    remember();
  };

  /** Select usages in one view: the others follow, and the concordance lists only these. */
  s.select = function (usages, where) {
    const selection = usages.length ? s.mask.of(s.shown.model.size, usages) : null;
    s.change({ selection, listed: selection });
    s.say(`${s.plural(usages.length, "usage")} selected: ${where}.`);
  };

  s.clear = function () {
    s.at("find").value = "";
    s.change({ selection: null, listed: null, find: "" });
    s.say("Selection cleared.");
  };

  function listed(model, state) {
    const fits = s.mask.both(state.listed, state.matches);
    const order = model.order(state.sort);
    const lines = fits ? [...order].filter((k) => fits[k]) : [...order];
    return state.descending ? lines.reverse() : lines;
  }

  function update(changed) {
    const { model, state } = s.shown;
    for (const name of AT_ONCE) s.views[name].update(model, state, changed);
    counted(model, state);
    detail(model, state);
    for (const name of PICTURES) {
      const waiting = (s.shown.waiting[name] = s.shown.waiting[name] || new Set());
      changed.forEach((part) => waiting.add(part));
      // Somebody who types sees the lines at once, and the pictures when done.
      s.later(name, () => draw(name), changed.has("find") ? TYPING : 0);
    }
  }

  /** Pictures that are on the screen, or nearly; the others wait until they are scrolled to. */
  const visible = new Set();
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) visible.delete(target.id);
      else {
        visible.add(target.id);
        draw(target.id);
      }
    }
  }, { rootMargin: "200px" });

  /** Draw a picture with all that has changed since it was drawn. */
  function draw(name) {
    const { shown } = s;
    if (!shown || !shown.waiting[name] || !visible.has(name)) return;
    const changed = shown.waiting[name];
    shown.waiting[name] = null;
    s.views[name].update(shown.model, shown.state, changed);
  }

  function counted(model, state) {
    const count = state.active ? s.mask.count(state.active) : model.size;
    const all = s.plural(model.size, "usage");
    s.at("count").textContent = state.active ? `${s.count(count)} of ${all} ${state.selection ? "selected" : "found"}` : all;
    s.at("clear").hidden = !state.active;
    s.at("only").hidden = !state.selection || state.selection === state.listed;
  }

  /** The chosen usage in full, with its partners. */
  function detail(model, state) {
    const box = s.at("usage"), k = state.usage;
    box.hidden = k === null;
    if (k === null) return;
    const facts = [
      ["period", model.period(k)], ...model.scores.map(({ name, label, digits }) => [label, s.number(model[name][k], digits, true)]),
      ...model.labels.map(([name, label]) => [label, model[name][k] === null ? null : model.nameOf(name, model[name][k])]),
      ...["date", "source"].map((name) => [name, model[name] && model[name][k]]),
      ...model.more.map(([name, column]) => [name, column[k]]), ["id", model.id[k]],
    ].filter(([, value]) => value !== null && value !== undefined && value !== "");
    const every = model.partners(k, state.plan), partners = every.slice(0, 6);
    const matched = Math.min(1, every.reduce((sum, { share }) => sum + share, 0));
    box.replaceChildren(
      s.make("p", { class: "full", dir: "auto", lang: "" }, model.text[k].slice(0, model.start[k]),
        s.make("mark", {}, model.target(k)), model.text[k].slice(model.end[k])),
      s.make("p", { class: "quietly" }, ...facts.flatMap(([name, value], i) => [i ? " · " : "", `${name} `, s.make("bdi", {}, String(value))])),
      s.make("p", { class: "quietly" }, state.plan === "uot" ? `${s.percent(matched)} of its weight is matched${standing(model, k)}.` : ""),
      s.make("h3", {}, "Partners in the other period"),
      s.make("ul", {}, ...partners.map(({ usage, share }) => s.make("li", {},
        s.make("button", { type: "button", class: "quiet", onclick: () => s.change({ usage }) },
          s.make("b", {}, `${s.percent(share)} `), s.quote(model, usage, 90))))),
    );
  }

  /** How a usage stands against chance, as the study has it. */
  function standing(model, k) {
    if (!model.score("excess") || model.excess[k] === null) return "";
    return model.beyond[k] ? ", worse than chance has it" : ", as by chance";
  }

  s.usageTip = (model, k) => [
    s.quote(model, k, 110),
    s.make("div", { class: "quietly" }, s.make("bdi", {}, model.period(k)), `, SUS ${s.number(model.sus[k], 3, true)}`,
      standing(model, k),
      ...(model.told && model[model.told] && model[model.told][k] !== null ? [", sense ", s.make("bdi", {}, model.nameOf(model.told, model[model.told][k]))] : []),
      ...(model.date && model.date[k] ? [", ", s.make("bdi", {}, model.date[k])] : [])),
  ];

  /** Put what is shown into the address. */
  function remember() {
    const { model, state, pair } = s.shown;
    const usual = { ...DEFAULTS, colour: model.usual, order: s.views.transport.orders(model)[0][0] };
    const kept = Object.fromEntries(["colour", "find", "plan", "order", "usage"]
      .filter((name) => state[name] !== usual[name]).map((name) => [name, state[name]]));
    const sort = `${state.descending ? "-" : ""}${state.sort}`;
    s.fragment.write({
      word: model.word, pair: pair || null, ...kept, sort: sort === `-${model.usual}` ? null : sort,
      select: state.selection ? s.fragment.pack(state.selection) : null,
    });
  }

  /** What the address asks for, as far as this word has it. */
  function wanted(model, asked) {
    const among = (value, options, usual) => (options.some(([name]) => name === value) ? value : usual);
    const sorting = asked.sort || `-${model.usual}`, sort = sorting.replace(/^-/, "");
    const usage = Number(asked.usage);
    const orders = s.views.transport.orders(model);
    const selection = asked.select ? s.fragment.unpack(asked.select, model.size) : null;
    const state = {
      colour: among(asked.colour, model.colourings, model.usual), sort: among(sort, model.sortings, model.usual),
      descending: sorting.startsWith("-"), find: asked.find || "", selection, listed: selection,
      usage: asked.usage && Number.isInteger(usage) && usage >= 0 && usage < model.size ? usage : null,
      plan: asked.plan === "ot" && model.data.plans.ot ? "ot" : "uot", order: among(asked.order, orders, orders[0][0]),
    };
    state.matches = model.matching(state.find);
    state.active = s.mask.both(state.selection, state.matches);
    state.lines = listed(model, state);
    return state;
  }

  function options(id, pairs, value) {
    s.at(id).replaceChildren(...pairs.map(([name, label]) => s.make("option", { value: name }, label)));
    s.at(id).value = value;
  }

  /** The interval of a change, and what chance makes of such usages. */
  function change(data) {
    const [low, high, chance] = data.change;
    if (chance === null) return "";
    const interval = low === null ? "" : ` (${s.number(low, 3)} to ${s.number(high, 3)})`;
    return `${interval}, by chance ${s.number(chance, 3)}`;
  }

  function heading(model, row) {
    s.at("word-name").replaceChildren(s.make("bdi", {}, model.word));
    document.title = `${model.word} · senseshift`;
    const index = s.received.index, { data } = model;
    const error = data.sus_error === null ? "any amount" : data.sus_error.toExponential(0);
    const named = [index.magnitudes[0], index.scopes[0]].filter(Boolean);
    const figures = [
      index.ranked > 1 ? `rank ${row.rank} of ${s.count(index.ranked)}` : null,
      ...named.map((name) => `${name} ${s.number(data.measures[name], 3, name === named[1])}${name === "change" ? change(data) : ""}`),
      row.p === null ? null : `${s.chance(row.p)}${row.q === null ? "" : `, ${s.chance(row.q, "q")}`}`,
      `${s.count(model.olds)} old and ${s.count(model.size - model.olds)} new usages`,
      data.certified ? null : `NOT certified: SUS may be off by ${error}`,
    ].filter(Boolean);
    s.at("word-figures").replaceChildren(...figures.map((text) => s.make("span", {}, text)));
    const [first, ...rest] = data.summary;
    s.at("summary").replaceChildren(s.make("p", { class: "first" }, first), ...rest.map((text) => s.make("p", {}, text)));
    s.at("chance").textContent = data.chance === null ? ""
      : `Dealt to the periods at random, these usages have ${s.number(data.chance[0], 3, true)} and ${s.number(data.chance[1], 3, true)} in the mean.`;
    s.at("certificate").textContent = data.certified ? `SUS is exact to ${error}.` : "";
  }

  function neighbours(row) {
    const place = s.overview.rows.indexOf(row);
    for (const [id, other] of [["previous", place - 1], ["next", place + 1]]) {
      const neighbour = s.overview.rows[other];
      s.at(id).hidden = !neighbour;
      if (!neighbour) continue;
      s.at(id).href = s.overview.link(neighbour);
      const name = s.make("bdi", {}, neighbour.word);
      s.at(id).replaceChildren(...(id === "next" ? [name, " →"] : ["← ", name]));
    }
  }

  s.word = {
    start() {
      for (const view of Object.values(s.views)) view.start();
      for (const name of PICTURES) watch.observe(s.at(name));
      s.at("clear").addEventListener("click", s.clear);
      s.at("only").addEventListener("click", () => s.change({ listed: s.shown.state.selection }));
      s.at("pair").addEventListener("change", (event) => {
        location.hash = s.fragment.text({ word: s.shown.model.word, pair: Number(event.target.value) || null });
      });
    },

    /** Show a word as the address asks for it. */
    show(data, asked) {
      const pair = data.pairs[Number(asked.pair)] ? Number(asked.pair) : 0;
      const model = new s.Model(data, pair);
      const row = s.overview.rows.find((one) => one.word === data.word && one.pair === pair);
      s.shown = { model, pair, state: wanted(model, asked), waiting: {} };
      heading(model, row);
      neighbours(row);
      options("colour", model.colourings, s.shown.state.colour);
      options("sort", model.sortings, s.shown.state.sort);
      options("order", s.views.transport.orders(model), s.shown.state.order);
      options("pair", data.pairs.map((one, k) => [k, `${one.old} → ${one.new}`]), pair);
      s.at("pair-label").hidden = data.pairs.length < 2;
      s.at("find").value = s.shown.state.find;
      update(new Set(["word", "usage"]));
      remember();
    },

    /** The same in other colours. */
    recolour: () => s.shown && update(new Set(["theme"])),

    /** Every picture at once, also those out of sight. */
    redraw() {
      if (!s.shown) return;
      for (const name of PICTURES) s.views[name].update(s.shown.model, s.shown.state, new Set(["theme"]));
    },

    leave() {
      s.shown = null;
      s.tip.hide();
    },
  };
})(window.senseshift);
