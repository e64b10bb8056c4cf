"use strict";
/* What rose and what fell: a card for each group of usages. */

(function (s) {
  /** Which gold sense most of a group have. */
  function sense(model, members) {
    if (!model.sense) return null;
    const counts = new Map();
    for (const k of members) counts.set(model.sense[k], (counts.get(model.sense[k]) || 0) + 1);
    const [[label, count]] = [...counts].sort((a, b) => b[1] - a[1]);
    return label === null ? null : { label, share: count / members.length };
  }

  function shares(model, group) {
    const bar = (period, share) => {
      const element = s.make("span", { class: "share" }, s.make("i", { class: `mark ${period}` }),
        s.make("span", { class: "length" }), s.make("b", {}, s.percent(share)), " of the ", period);
      element.style.setProperty("--share", share.toFixed(3));
      return element;
    };
    return s.make("div", { class: `shares ${group.kind}` }, bar("old", group.shares[0]), bar("new", group.shares[1]));
  }

  function card(model, group, number) {
    const words = group.words.flatMap((word, k) => [...(k ? [", "] : []), s.make("bdi", {}, word)]);
    const main = sense(model, group.members);
    const title = words.length ? words : ["no word tells them apart"];
    return s.make("article", { class: `card ${group.kind}`, "aria-labelledby": `group-${number}` },
      s.make("h4", { id: `group-${number}`, class: words.length ? "" : "quietly" }, ...title),
      shares(model, group),
      s.make("p", { class: "quietly" }, `${s.plural(group.members.length, "usage")}, mean SUS ${s.number(group.sus, 3, true)}`,
        ...(main ? [`, ${s.percent(main.share)} of gold sense `, s.make("bdi", {}, main.label)] : [])),
      s.make("ul", { class: "typical" }, ...group.typical.map((k) => s.make("li", {}, s.quote(model, k, 75)))),
      s.make("button", {
        type: "button", "aria-label": `Select these usages: ${group.words.join(", ") || group.kind}`,
        onclick: () => s.select(group.members, `what ${group.kind}`),
      }, "Select these usages"));
  }

  s.views.groups = {
    start() {},
    update(model, state, changed) {
      if (!changed.has("word")) return;
      const content = [["rose", "What rose"], ["fell", "What fell"]].flatMap(([kind, title]) => {
        const groups = model.data.groups.filter((group) => group.kind === kind);
        const beyond = groups.some((group) => group.beyond);
        return [
          s.make("h3", { class: kind }, s.make("span", { "aria-hidden": "true" }, kind === "rose" ? "▲ " : "▼ "), title),
          beyond ? null : s.make("p", { class: "quietly" }, `Nothing ${kind} beyond chance. The usages that ${kind} most:`),
          ...groups.map((group, k) => card(model, group, `${kind}-${k}`)),
        ];
      });
      s.at("groups").replaceChildren(...content.filter(Boolean));
    },
  };
})(window.senseshift);
