"use strict";
/* The page of a word: what is shown, and how a change reaches every view of it. */

(function (s) {
  const DEFAULTS = { descending: true, find: "", how: "", usage: null, plan: "uot" };
  const AT_ONCE = ["senses", "search", "concordance", "downloads", "bar", "workbench", "usage", "citations"];
  const TYPING = 150; // ms
  const PICTURES = ["map", "histogram", "transport"]; // drawn after the next paint

  s.shown = null;

  /** Change what is shown: every view is told what became different. */
  s.change = function (patch) {
    const { model, state } = s.shown;
    const changed = new Set(Object.keys(patch));
    Object.assign(state, patch);
    const asked = changed.has("find") || changed.has("how");
    if (asked) Object.assign(state, s.search.matching(model, state));
    if (changed.has("selection") || asked) {
      state.active = s.mask.both(state.selection, state.matches);
      changed.add("active");
    }
    if (["find", "how", "sort", "descending", "listed"].some((name) => changed.has(name))) {
      state.lines = listed(model, state);
      changed.add("lines");
    }
    update(changed);
    remember();
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

  s.usageTip = (model, k) => [
    s.quote(model, k, 110),
    s.make("div", { class: "quietly" }, s.make("bdi", {}, model.period(k)), `, SUS ${s.number(model.sus[k], 3, true)}`,
      s.standing(model, k),
      ...(model.told && model[model.told] && model[model.told][k] !== null ? [", sense ", s.make("bdi", {}, model.nameOf(model.told, model[model.told][k]))] : []),
      ...(model.date && model.date[k] ? [", ", s.make("bdi", {}, model.date[k])] : [])),
  ];

  /** Put what is shown into the address. */
  function remember() {
    const { model, state, pair } = s.shown;
    const usual = { ...DEFAULTS, colour: model.usual, order: s.views.transport.orders(model)[0][0] };
    const kept = Object.fromEntries(["colour", "find", "how", "plan", "order", "usage"]
      .filter((name) => state[name] !== usual[name]).map((name) => [name, state[name]]));
    const sort = `${state.descending ? "-" : ""}${state.sort}`;
    s.fragment.write({
      word: model.word, pair: pair || null, ...kept, sort: sort === `-${model.usual}` ? null : sort,
      select: state.selection ? s.fragment.pack(state.selection) : null, list: s.overview.list(),
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
      how: among(asked.how, s.search.HOW, ""),
      usage: asked.usage && Number.isInteger(usage) && usage >= 0 && usage < model.size ? usage : null,
      plan: asked.plan === "ot" && model.data.plans.ot ? "ot" : "uot", order: among(asked.order, orders, orders[0][0]),
    };
    Object.assign(state, s.search.matching(model, state));
    state.active = s.mask.both(state.selection, state.matches);
    state.lines = listed(model, state);
    return state;
  }

  function options(id, pairs, value) {
    s.at(id).replaceChildren(...pairs.map(([name, label]) => s.make("option", { value: name }, label)));
    s.at(id).value = value;
  }

  /** What can be chosen from: a person's edits may add to it. */
  function choices() {
    const { model, state } = s.shown;
    options("colour", model.colourings, state.colour);
    options("sort", model.sortings, state.sort);
    options("order", s.views.transport.orders(model), state.order);
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

  /** The words before and after this one, as the list of all is sorted and filtered. */
  function neighbours(row) {
    const rows = s.overview.order(row), place = rows.indexOf(row);
    for (const [id, other] of [["previous", place - 1], ["next", place + 1]]) {
      const neighbour = rows[other];
      s.at(id).hidden = !neighbour;
      if (!neighbour) continue;
      s.at(id).href = s.overview.link(neighbour);
      const name = s.make("bdi", {}, s.overview.label(neighbour));
      s.at(id).replaceChildren(...(id === "next" ? [name, " →"] : ["← ", name]));
    }
  }

  s.word = {
    start() {
      for (const view of Object.values(s.views)) view.start();
      for (const name of PICTURES) watch.observe(s.at(name));
      s.at("pair").addEventListener("change", (event) => {
        location.hash = s.fragment.text({ word: s.shown.model.word, pair: Number(event.target.value) || null });
      });
    },

    /** Show a word as the address asks for it. */
    show(data, asked) {
      const pair = data.pairs[Number(asked.pair)] ? Number(asked.pair) : 0;
      const model = new s.Model(data, pair);
      s.seat(model, data);
      const row = s.overview.rows.find((one) => one.word === data.word && one.pair === pair);
      s.shown = { model, data, pair, state: wanted(model, asked), waiting: {} };
      heading(model, row);
      neighbours(row);
      choices();
      options("pair", data.pairs.map((one, k) => [k, `${one.old} → ${one.new}`]), pair);
      s.at("pair-label").hidden = data.pairs.length < 2;
      update(new Set(["word", "usage"]));
      remember();
    },

    choices,

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
