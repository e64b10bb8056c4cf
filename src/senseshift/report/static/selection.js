"use strict";
/* What is selected: by whichever view, with Shift added and with Alt taken away; and the bar that
   says how much it is and what can be done with it. */

(function (s) {
  let held = { add: false, take: false };
  for (const name of ["pointerdown", "pointerup", "click", "keydown", "keyup"]) {
    addEventListener(name, (event) => { held = { add: event.shiftKey, take: event.altKey }; }, { capture: true });
  }

  /** A selection after some usages were chosen: these, or with a key held more or fewer. */
  function combined(before, usages, size) {
    const mask = before && (held.add || held.take) ? Uint8Array.from(before) : new Uint8Array(size);
    if (held.take && !before) mask.fill(1); // of nothing selected all are shown
    for (const k of usages) mask[k] = held.take ? 0 : 1;
    return s.mask.count(mask) ? mask : null;
  }

  /** Select usages in one view: the others follow, and the concordance lists only these. */
  s.select = function (usages, where) {
    const { model, state } = s.shown;
    const selection = combined(state.selection, usages, model.size);
    s.change({ selection, listed: selection });
    s.say(`${s.plural(selection ? s.mask.count(selection) : 0, "usage")} selected: ${where}.`);
  };

  /** Choose one usage to see it in full; with a key held it is selected, or not any more. */
  s.choose = function (k) {
    if (held.add || held.take) s.select([k], "one usage");
    else {
      const { model, state } = s.shown, usage = state.usage === k ? null : k;
      s.change({ usage }); // the concordance says which line it is
      if (usage === null) s.say("No usage is chosen.");
      else if (!state.lines.includes(k)) s.say(`Chosen: ${s.context(model, k, 60).join("")}`);
    }
  };

  s.clear = function () {
    s.at("find").value = "";
    s.change({ selection: null, listed: null, find: "" });
    s.say("Selection cleared.");
  };

  /** What an action is about: what is selected or found, else the usage that is chosen. */
  s.chosen = function () {
    const { model, state } = s.shown;
    if (state.active) return s.mask.members(state.active, model.size);
    return state.usage === null ? [] : [state.usage];
  };

  s.views.bar = {
    start() {
      s.at("clear").addEventListener("click", s.clear);
      s.at("only").addEventListener("click", () => s.change({ listed: s.shown.state.selection }));
    },

    update(model, state) {
      const count = state.active ? s.mask.count(state.active) : model.size;
      const all = s.plural(model.size, "usage");
      s.at("count").textContent = state.active ? `${s.count(count)} of ${all} ${state.selection ? "selected" : "found"}` : all;
      s.at("clear").hidden = !state.active;
      s.at("only").hidden = !state.selection || state.selection === state.listed;
    },
  };
})(window.senseshift);
