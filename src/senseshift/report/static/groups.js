"use strict";
/* What rose and what fell: a card for each sense whose share moved beyond chance. */

(function (s) {
  function shares(group) {
    const bar = (period, share) => {
      const element = s.make("span", { class: "share" }, s.make("i", { class: `mark ${period}` }),
        s.make("span", { class: "length" }), s.make("b", {}, s.percent(share)), " of the ", period);
      element.style.setProperty("--share", share.toFixed(3));
      return element;
    };
    return s.make("div", { class: `shares ${group.kind}` }, bar("old", group.shares[0]), bar("new", group.shares[1]));
  }

  /** What tells the sense, with its counts in this sense and in the others. */
  function telling(model, group) {
    const size = group.members.length, rest = model.size - size;
    return group.words.flatMap((word, k) => [
      ...(k ? [" · "] : []), s.make("bdi", {}, word.text),
      ` ${word.inside}/${size} · ${word.outside}/${rest}`, ...(word.flag ? [` (${word.flag}?)`] : []),
    ]);
  }

  function card(model, group, number) {
    return s.make("article", { class: `card ${group.kind}`, "aria-labelledby": `group-${number}` },
      s.make("h4", { id: `group-${number}` }, s.make("bdi", {}, group.name)),
      shares(group),
      s.make("p", { class: "quietly" }, s.plural(group.members.length, "usage"), group.q === null ? "" : `, q ${s.chance(group.q)}`),
      group.words.length ? s.make("p", { class: "quietly" }, ...telling(model, group)) : null,
      s.make("ul", { class: "typical" }, ...group.typical.map((k) => s.make("li", {}, s.quote(model, k, 75)))),
      s.make("button", {
        type: "button", "aria-label": `Select these usages: ${group.name}`,
        onclick: () => s.select(group.members, `what ${group.kind}`),
      }, "Select these usages"));
  }

  s.views.groups = {
    start() {},
    update(model, state, changed) {
      if (!changed.has("word")) return;
      const content = [["rose", "What rose"], ["fell", "What fell"]].flatMap(([kind, title]) => {
        const groups = model.data.groups.filter((group) => group.kind === kind);
        return [
          s.make("h3", { class: kind }, s.make("span", { "aria-hidden": "true" }, kind === "rose" ? "▲ " : "▼ "), title),
          groups.length ? null : s.make("p", { class: "quietly" }, `No sense ${kind} by more than chance has it.`),
          ...groups.map((group, k) => card(model, group, `${kind}-${k}`)),
        ];
      });
      s.at("groups").replaceChildren(...content.filter(Boolean));
    },
  };
})(window.senseshift);
