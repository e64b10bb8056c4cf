"use strict";
/* Keyword in context. Only the lines in view are in the page, so that any number of them scrolls. */

(function (s) {
  let HEIGHT = 34; // of a line, as the style sheet has it: on a phone the context has lines of its own
  const SPARE = 8; // lines drawn above and below those in view
  const AROUND = 140, NARROW = 64; // characters of context in a line, and on a phone
  const HEADS = { edited: "your sense", induced_sense: "sense" };
  let lines = []; // usages in the order in which they are listed
  let current = 0; // the line that the keyboard is at
  let anchor = 0; // where a range began
  let box, canvas;

  /** A part of a text on one line, not cut inside a character. */
  function flat(text) {
    return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "").replace(/\s+/g, " ");
  }

  s.context = function (model, k, around) {
    const text = model.text[k], start = model.start[k], end = model.end[k];
    let before = flat(text.slice(Math.max(0, start - around), start));
    let after = flat(text.slice(end, end + around));
    // Cut between words, unless one long word is all there is.
    if (start > around) before = `… ${before.includes(" ", 1) ? before.replace(/^\S*\s/, "") : before}`;
    if (end + around < text.length) after = `${after.trimEnd().includes(" ", 1) ? after.replace(/\s\S*$/, "") : after} …`;
    return [before, flat(text.slice(start, end)), after];
  };

  /** A usage as a line of text with its target marked. */
  s.quote = function (model, k, around) {
    const [before, target, after] = s.context(model, k, around);
    return s.make("span", { dir: "auto", lang: "", class: "quote" }, before, s.make("mark", {}, target), after);
  };

  function line(model, state, place) {
    const k = lines[place];
    const [before, target, after] = s.context(model, k, HEIGHT > 40 ? NARROW : AROUND);
    const chosen = Boolean(state.selection && state.selection[k]);
    const score = figure(model, state), value = model[score.name][k];
    const sus = s.make("span", { class: "sus" }, s.number(value, 3, true));
    const size = Math.abs(score.squashed ? s.colours.squash(value) : value) / s.received.index.scales[score.name][1];
    sus.style.setProperty("--share", Math.min(1, size).toFixed(2));
    if (model.beyond[k]) sus.classList.add(model.isNew(k) ? "rose" : "fell");
    const element = s.make("div", {
      class: "row", role: "option", id: `line-${place}`, "data-place": place, "aria-selected": String(chosen),
      "aria-setsize": lines.length, "aria-posinset": place + 1,
    },
    s.make("span", { class: "tick", "aria-hidden": "true" }, chosen ? "✓" : ""),
    s.make("span", { class: "period" }, s.make("i", { class: `mark ${model.isNew(k) ? "new" : "old"}` }), s.make("bdi", {}, model.period(k)), ...marks(model, k)),
    sus,
    s.make("span", { class: "kwic", dir: "auto", lang: "" },
      s.make("span", { class: "before" }, s.make("span", {}, before)), s.make("mark", {}, target), s.make("span", { class: "after" }, after)),
    ...extras(model).map(([name, column]) => s.make("span", { class: name }, s.make("bdi", {}, column[k] === null ? "" : model.nameOf(name, column[k])))));
    element.classList.toggle("chosen", state.usage === k);
    element.classList.toggle("current", place === current);
    element.style.transform = `translateY(${place * HEIGHT}px)`;
    return element;
  }

  /** What a reader has put on a usage. */
  function marks(model, k) {
    const mark = (sign, says) => s.make("span", { class: "sign", title: says, role: "img", "aria-label": says }, sign);
    return [...(model.starred[k] ? [mark("★", "starred")] : []), ...(model.notes[k] ? [mark("✎", "has a note")] : [])];
  }

  /** The score that every line shows: the one that lines are sorted by. */
  const figure = (model, state) => model.score(state.sort) || model.score(model.usual);

  /** Columns that not every study has. */
  function extras(model) {
    const sense = model.edited ? "edited" : model.sense ? "sense" : "induced_sense";
    return [sense, "date", "source"].filter((name) => model[name]).map((name) => [name, model[name]]);
  }

  function paint() {
    const { model, state } = s.shown;
    const first = Math.max(0, Math.floor(box.scrollTop / HEIGHT) - SPARE);
    const last = Math.min(lines.length, Math.ceil((box.scrollTop + box.clientHeight) / HEIGHT) + SPARE);
    const drawn = [];
    for (let place = first; place < last; place++) drawn.push(line(model, state, place));
    canvas.replaceChildren(...drawn);
    if (lines.length) box.setAttribute("aria-activedescendant", `line-${current}`);
    else box.removeAttribute("aria-activedescendant");
  }

  function measure() {
    HEIGHT = parseFloat(getComputedStyle(box).getPropertyValue("--row")) || 34;
  }

  function lengths() {
    canvas.style.height = `${lines.length * HEIGHT}px`;
    box.style.setProperty("--length", `${Math.max(3, lines.length) * HEIGHT}px`);
  }

  function resized() {
    measure();
    lengths();
    paint();
  }

  function head(model, state) {
    const sortable = (by, name, label) => {
      const mark = state.sort === by ? (state.descending ? " ↓" : " ↑") : "";
      return s.make("span", { class: name, onclick: () => sortBy(by) }, label + mark);
    };
    s.at("concordance").querySelector(".head").replaceChildren(
      s.make("span", { class: "tick" }), sortable("period", "period", "period"), sortable(figure(model, state).name, "sus", figure(model, state).label),
      s.make("span", { class: "kwic" }, sortable("before", "before", "before"), s.make("mark", {}), sortable("after", "after", "after")),
      ...extras(model).map(([name]) => sortable(name, name, HEADS[name] || name)));
    const longest = Math.max(model.data.old.length, model.data.new.length);
    s.at("concordance").style.setProperty("--period", `${Math.max(7, Math.min(18, longest + 3))}ch`);
    s.at("concordance").style.setProperty("--extras", extras(model).map(([name]) => (["sense", "edited"].includes(name) ? "5rem" : name === "date" ? "6rem" : "9rem")).join(" ") || "0");
  }

  const sortBy = (by) => s.change({ sort: by, descending: s.shown.state.sort === by ? !s.shown.state.descending : Boolean(s.shown.model.score(by)) });

  function moveTo(place) {
    current = Math.max(0, Math.min(lines.length - 1, place));
    const top = current * HEIGHT;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + HEIGHT > box.scrollTop + box.clientHeight) box.scrollTop = top + HEIGHT - box.clientHeight;
    paint();
  }

  /** Put lines into the selection or take them out; what is listed stays. */
  function put(from, to, value) {
    const { model, state } = s.shown;
    const selection = state.selection ? Uint8Array.from(state.selection) : new Uint8Array(model.size);
    for (let place = Math.min(from, to); place <= Math.max(from, to); place++) selection[lines[place]] = value;
    const count = s.mask.count(selection);
    s.change({ selection: count ? selection : null });
    s.say(`${s.plural(count, "usage")} selected.`);
  }

  const isIn = (place) => Boolean(s.shown.state.selection && s.shown.state.selection[lines[place]]);
  const toggle = (place) => put(place, place, isIn(place) ? 0 : 1);

  function click(event) {
    const row = event.target.closest("[data-place]");
    if (!row) return;
    const place = Number(row.dataset.place);
    current = place;
    if (event.altKey) put(event.shiftKey ? anchor : place, place, 0);
    else if (event.shiftKey) put(anchor, place, 1);
    else if (event.ctrlKey || event.metaKey || event.target.closest(".tick")) toggle(place);
    else s.choose(lines[place]);
    if (!event.shiftKey) anchor = place;
    box.focus({ preventScroll: true });
  }

  function key(event) {
    const page = Math.max(1, Math.floor(box.clientHeight / HEIGHT) - 1);
    const moves = { ArrowDown: current + 1, ArrowUp: current - 1, PageDown: current + page, PageUp: current - page, Home: 0, End: lines.length - 1 };
    if (event.key in moves) {
      const from = current;
      moveTo(moves[event.key]);
      if ((event.shiftKey || event.altKey) && lines.length) put(from, current, event.altKey ? 0 : 1);
    } else if (event.key === " " && lines.length) toggle(current);
    else if (event.key === "Enter" && lines.length) s.choose(lines[current]);
    else if (event.key === "Escape") s.clear();
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) s.select([...lines], "all that are listed");
    else return;
    event.preventDefault();
  }

  /** On paper there is no scrolling: the first lines stand one below the other. */
  function print() {
    if (!s.shown) return;
    const { model, state } = s.shown;
    canvas.replaceChildren(...[...lines.slice(0, 300).keys()].map((place) => line(model, state, place)));
  }

  s.views.concordance = {
    start() {
      box = s.at("lines");
      canvas = box.querySelector(".canvas");
      box.addEventListener("scroll", () => s.shown && paint(), { passive: true });
      box.addEventListener("click", click);
      box.addEventListener("keydown", key);
      measure();
      new ResizeObserver(() => s.shown && resized()).observe(box);
      addEventListener("beforeprint", print);
      addEventListener("afterprint", () => s.shown && paint());
      s.at("sort").addEventListener("change", (event) => sortBy(event.target.value));
      s.at("direction").addEventListener("click", () => s.change({ descending: !s.shown.state.descending }));
    },

    update(model, state, changed) {
      if (changed.has("lines") || changed.has("word")) {
        lines = state.lines;
        current = anchor = 0;
        lengths();
        box.scrollTop = 0;
        head(model, state);
        s.at("no-lines").hidden = lines.length > 0;
        s.at("sort").value = state.sort;
        s.at("direction").textContent = state.descending ? "Descending" : "Ascending";
        s.press([s.at("direction")], () => state.descending);
      }
      if (changed.has("edited")) head(model, state);
      if (changed.has("usage") && state.usage !== null) {
        const place = lines.indexOf(state.usage);
        if (place >= 0) moveTo(place);
        if (place >= 0 && !changed.has("word")) s.say(`Usage ${place + 1} of ${s.count(lines.length)} chosen: ${s.context(model, state.usage, 60).join("")}`);
      }
      paint();
    },
  };
})(window.senseshift);
