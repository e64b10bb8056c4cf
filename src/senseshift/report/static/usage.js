"use strict";
/* The chosen usage in full: what is known of it, its partners, its nearest usages, what a reader
   makes of it. */

(function (s) {
  const PARTNERS = 6;

  function facts(model, k) {
    return [
      ["period", model.period(k)], ...model.scores.map(({ name, label, digits }) => [label, s.number(model[name][k], digits, true)]),
      ...model.labels.map(([name, label]) => [label, model[name][k] === null ? null : model.nameOf(name, model[name][k])]),
      ...["date", "source"].map((name) => [name, model[name] && model[name][k]]),
      ...model.more.map(([name, column]) => [name, column[k]]), ["id", model.id[k]],
    ].filter(([, value]) => value !== null && value !== undefined && value !== "");
  }

  /** Other usages, each a button that leads there. */
  function others(model, title, none, found) {
    return [
      s.make("h3", {}, found.length ? title : none),
      s.make("ul", {}, ...found.map(([usage, figure]) => s.make("li", {},
        s.make("button", { type: "button", class: "quiet", onclick: () => s.change({ usage }) },
          s.make("b", {}, `${figure} `), s.quote(model, usage, 90))))),
    ];
  }

  function work(model, k) {
    const sense = s.make("select", { id: "usage-sense" }, ...s.senseOptions(model.desk));
    const key = model.desk.keys[model.data.at[k]];
    sense.value = key === null ? sense.options[sense.options.length - 1].value : key;
    const note = s.make("textarea", {
      id: "note", rows: 2, maxlength: s.edits.longest.note, dir: "auto",
      onchange: (event) => s.edits.note(model.word, model.id[k], event.target.value),
    });
    note.value = model.notes[k];
    return s.make("div", { class: "tools" },
      s.make("button", {
        type: "button", id: "usage-star", "aria-pressed": String(model.starred[k]), onclick: () => s.edits.star(model.word, [model.id[k]], !model.starred[k]),
      }, "★ Star"),
      s.make("label", {}, "Sense ", sense),
      s.make("button", { type: "button", id: "usage-move", onclick: () => s.moveTo(sense.value, [k]) }, "Move this usage"),
      s.make("label", { class: "note-label" }, "Note ", note));
  }

  /** How a usage stands against chance, as the study has it. */
  s.standing = function (model, k) {
    if (!model.score("excess") || model.excess[k] === null) return "";
    return model.beyond[k] ? ", worse than chance has it" : ", as by chance";
  };

  s.views.usage = {
    start() {},

    update(model, state, changed) {
      if (!["word", "usage", "plan", "edited"].some((name) => changed.has(name))) return;
      const box = s.at("usage"), k = state.usage;
      box.hidden = k === null;
      if (k === null) return;
      const near = model.nearest(k), partners = model.partners(k, state.plan);
      const matched = Math.min(1, partners.reduce((sum, { share }) => sum + share, 0));
      box.replaceChildren(
        s.make("p", { class: "full", dir: "auto", lang: "" }, model.text[k].slice(0, model.start[k]),
          s.make("mark", {}, model.target(k)), model.text[k].slice(model.end[k])),
        s.make("p", { class: "quietly" }, ...facts(model, k).flatMap(([name, value], i) => [i ? " · " : "", `${name} `, s.make("bdi", {}, String(value))])),
        s.make("p", { class: "quietly" }, state.plan === "uot" ? `${s.percent(matched)} of its weight is matched${s.standing(model, k)}.` : ""),
        work(model, k),
        ...others(model, "Partners in the other period", "No partner in the other period",
          partners.slice(0, PARTNERS).map(({ usage, share }) => [usage, s.percent(share)])),
        ...others(model, "Nearest usages, by cosine distance", near === null ? "This report has no vectors: nearest usages are not known" : "No other usage",
          (near || []).map(({ usage, away }) => [usage, s.number(away, 3)])),
      );
    },
  };
})(window.senseshift);
