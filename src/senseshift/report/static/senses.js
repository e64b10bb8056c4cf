"use strict";
/* The senses of a word: a row for each, with its share in every period on one axis, how sure that
   is, and the evidence. What rose and what fell is this list, sorted. A name selects its usages. */

(function (s) {
  const SORTS = {
    rose: (a, b) => b.difference - a.difference,
    fell: (a, b) => a.difference - b.difference,
    size: (a, b) => b.members.length - a.members.length,
  };
  const FEW = 3; // usages below which a sense whose share is not told to have moved is folded away
  const DECADE = /\b(1[0-9]{3}|20[0-9]{2})\b/;
  let sorted = "rose";

  const kind = (sense) => sense.direction || "unmarked";
  const said = { rose: "rose", fell: "fell", unmarked: "no clear change" };

  /** One period's share: a bar, its interval, and the figures. */
  function bar(model, share, period) {
    const side = period === model.data.old ? "old" : period === model.data.new ? "new" : "other";
    const head = s.make("span", { class: "period" }, side === "other" ? null : s.make("i", { class: `mark ${side}` }), s.make("bdi", {}, period));
    if (!share) return s.make("div", { class: "bar" }, head, s.make("span", { class: "axis" }), s.make("span", { class: "figure" }, "–"));
    const [count, part, low, high] = share, axis = s.make("span", { class: "axis" }, s.make("i", { class: "length" }), s.make("i", { class: "whisker" }));
    for (const [name, value] of [["share", part], ["low", low], ["high", high]]) axis.style.setProperty(`--${name}`, value);
    return s.make("div", { class: "bar" }, head, axis,
      s.make("span", { class: "figure", title: `${s.plural(count, "usage")}, between ${s.percent(low)} and ${s.percent(high)}` },
        s.make("b", {}, s.percent(part)), ` (${Math.round(100 * low)}–${Math.round(100 * high)})`, s.make("span", { class: "unseen" }, `, ${s.plural(count, "usage")}`)));
  }

  const svg = (tag, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };

  /** From the old share to the new one, as a line. */
  function slope(model, sense) {
    const ends = [model.data.old, model.data.new].map((period) => sense.shares[model.periods.indexOf(period)]);
    if (ends.includes(null) || ends.includes(undefined)) return null;
    const picture = svg("svg", { class: "slope", viewBox: "0 0 60 52", role: "img", "aria-label": `From ${s.percent(ends[0][1])} to ${s.percent(ends[1][1])}` });
    const y = ends.map(([, share]) => 46 - 40 * share);
    picture.append(svg("path", { class: "frame", d: "M8 4V48M52 4V48" }), svg("path", { class: "way", d: `M8 ${y[0]}L52 ${y[1]}` }),
      svg("circle", { cx: 8, cy: y[0], r: 3.5 }), svg("rect", { x: 48.5, y: y[1] - 3.5, width: 7, height: 7 }));
    return picture;
  }

  /** Decades of the usages, where they are dated: all usages in each, and those of a sense. */
  function decades(model) {
    if (!model.date) return null;
    const of = model.date.map((date) => (DECADE.exec(date || "") || [])[1]).map((year) => (year ? Math.floor(year / 10) * 10 : null));
    const known = of.filter((decade) => decade !== null);
    if (new Set(known).size < 2) return null;
    const [first, last] = s.extremes(known), count = (last - first) / 10 + 1;
    const totals = new Array(count).fill(0);
    for (const decade of known) totals[(decade - first) / 10] += 1;
    return { of, first, last, totals };
  }

  function line(model, sense, dated) {
    const counts = dated.totals.map(() => 0);
    for (const k of sense.members) if (dated.of[k] !== null) counts[(dated.of[k] - dated.first) / 10] += 1;
    const width = 150 / counts.length;
    const picture = svg("svg", { class: "decades", viewBox: "0 0 150 40", preserveAspectRatio: "none", role: "img", "aria-label": `Its share by decade, ${dated.first}s to ${dated.last}s` });
    counts.forEach((count, k) => {
      if (!dated.totals[k]) return;
      const height = Math.max(count ? 1.5 : 0.6, (36 * count) / dated.totals[k]);
      const rect = svg("rect", { x: k * width + 0.08 * width, y: 38 - height, width: 0.84 * width, height });
      const title = svg("title", {});
      title.textContent = `${dated.first + 10 * k}s: ${count} of ${dated.totals[k]} usages`;
      rect.append(title);
      picture.append(rect);
    });
    return s.make("div", { class: "time" }, picture, s.make("div", { class: "quietly" }, s.make("span", {}, `${dated.first}s`), s.make("span", {}, `${dated.last}s`)));
  }

  /** What tells the sense, with its counts in this sense and in the others; each filters the lines. */
  function telling(model, sense) {
    const size = sense.members.length, rest = model.size - size;
    return sense.words.map((word) => s.make("button", {
      type: "button", class: "term", title: word.flag ? `Perhaps a ${word.flag}: mind it` : "List the usages of this sense that have it",
      onclick: () => find(sense, word),
    }, s.make("bdi", {}, word.text), s.make("span", { class: "tally" }, ` ${word.inside}/${size} · ${word.outside}/${rest}`),
    word.flag ? s.make("span", { class: "warning" }, ` ${word.flag}?`) : null));
  }

  /** The usages that were counted; of a study that does not know them, those whose text has the letters. */
  function find(sense, { text, usages }) {
    const find = usages.length ? "" : text, members = s.mask.of(s.shown.model.size, usages.length ? usages : sense.members);
    s.at("find").value = find;
    s.change({ selection: members, listed: members, find, how: "" });
    s.say(`Usages of ${sense.name} with ${text}.`);
  }

  /** Why to doubt what is said of a sense. */
  function warnings(sense) {
    const found = [];
    if (sense.documents === 1) found.push("all in one document");
    else if (sense.documents !== null && sense.documents < 3) found.push(`in ${sense.documents} documents only`);
    else if (sense.largest !== null && sense.largest > 0.5) found.push(`${s.percent(sense.largest)} in one document`);
    return found;
  }

  function row(model, sense, dated, colours, number) {
    const swatch = s.make("i", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = colours.get(sense.sense) || "none";
    const doubts = warnings(sense), change = kind(sense), id = `sense-${number}`;
    const move = `${sense.difference > 0 ? "+" : sense.difference < 0 ? "−" : ""}${Math.round(100 * Math.abs(sense.difference))} points (${sense.interval.map((end) => `${end < 0 ? "−" : ""}${Math.round(100 * Math.abs(end))}`).join(" to ")})`;
    return s.make("li", { class: `sense-row ${change}`, "data-sense": sense.sense },
      s.make("div", { class: "what" },
        s.make("h3", { id }, s.make("button", {
          type: "button", class: "name", "aria-pressed": "false", title: "Select its usages everywhere",
          onclick: () => (chosen(model, sense) ? s.clear() : s.select(sense.members, sense.name)),
        }, swatch, s.make("bdi", {}, sense.name))),
        sense.typical.length ? s.make("p", { class: "quotation" }, s.quote(model, sense.typical[0], 70)) : null,
        sense.words.length || doubts.length ? s.make("p", { class: "evidence" }, ...telling(model, sense), ...doubts.map((text) => s.make("span", { class: "warning" }, text))) : null,
        sense.typical.length > 1 ? s.make("details", {}, s.make("summary", {}, "More from its core"),
          s.make("ul", { class: "typical" }, ...sense.typical.slice(1).map((k) => s.make("li", {}, s.quote(model, k, 75))))) : null),
      s.make("div", { class: "bars", role: "group", "aria-label": "Share in each period" }, ...model.periods.map((period, k) => bar(model, sense.shares[k], period))),
      model.periods.length === 2 ? slope(model, sense) : null,
      dated ? line(model, sense, dated) : null,
      s.make("p", { class: "certainty" }, s.make("b", {}, said[change]), s.make("br"), move, s.make("br"),
        sense.q === null ? "not tested" : s.chance(sense.q, "q")));
  }

  const chosen = (model, sense) => {
    const { selection } = s.shown.state;
    return Boolean(selection) && sense.members.length === s.mask.count(selection) && sense.members.every((k) => selection[k]);
  };

  function list(model) {
    const dated = decades(model), colours = model.told && model[model.told] ? s.colours.labels(model[model.told]) : new Map();
    const ordered = [...model.senses].sort(SORTS[sorted]);
    const small = (sense) => !sense.direction && sense.members.length < FEW;
    const rows = (senses, from) => senses.map((sense, k) => row(model, sense, dated, colours, from + k));
    const large = ordered.filter((sense) => !small(sense)), few = ordered.filter(small);
    const box = s.at("senses");
    box.style.setProperty("--period", `${Math.min(12, Math.max(...model.periods.map((period) => period.length))) + 2.5}ch`);
    box.classList.toggle("dated", Boolean(dated));
    box.classList.toggle("two", model.periods.length === 2);
    box.replaceChildren(s.make("ul", { class: "senses", "aria-labelledby": "senses-title" }, ...rows(large, 0)),
      ...(few.length ? [s.make("details", {}, s.make("summary", {}, `${s.plural(few.length, "sense")} of one or two usages`),
        s.make("ul", { class: "senses" }, ...rows(few, large.length)))] : []),
      ...strays(model));
  }

  /** Usages that belong to no sense. */
  function strays(model) {
    const labels = model.told && model[model.told];
    const none = labels ? labels.flatMap((label, k) => (label === null ? [k] : [])) : [];
    if (!none.length) return [];
    return [s.make("p", { class: "quietly" }, s.make("button", { type: "button", class: "quiet", onclick: () => s.select(none, "usages of no sense") },
      `${s.plural(none.length, "usage")} of no sense`))];
  }

  s.views.senses = {
    start() {
      s.at("sense-sort").addEventListener("change", (event) => { sorted = event.target.value; list(s.shown.model); });
    },

    update(model, state, changed) {
      s.at("senses-panel").hidden = !model.senses.length;
      if (changed.has("word") || changed.has("theme")) list(model);
      for (const item of s.at("senses").querySelectorAll("[data-sense]")) {
        const sense = model.senses.find((one) => one.sense === item.dataset.sense);
        item.querySelector(".name").setAttribute("aria-pressed", String(chosen(model, sense)));
      }
    },
  };
})(window.senseshift);
