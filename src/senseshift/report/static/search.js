"use strict";
/* What is looked for in the texts: a part of them, a whole word, or a regular expression. */

(function (s) {
  const LONGEST = 1500; // ms that a search may take
  const PAUSE = 250; // ms of somebody who types an expression
  const LETTER = "[\\p{L}\\p{N}\\p{M}_]";

  /** A function that says whether a text has what is looked for; null where nothing is. */
  function test(model, find, how) {
    const wanted = find.trim();
    if (!wanted) return null;
    if (how === "expression") {
      const finds = s.expression(find);
      return (k) => finds(model.text[k]);
    }
    if (how === "word") {
      const literal = wanted.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s+");
      const whole = new RegExp(`(?<!${LETTER})${literal}(?!${LETTER})`, "iu");
      return (k) => whole.test(model.text[k]);
    }
    const lower = wanted.toLowerCase();
    model.lower = model.lower || model.text.map((text) => text.toLowerCase());
    return (k) => model.lower[k].includes(lower);
  }

  s.search = {
    HOW: [["", "text"], ["word", "whole word"], ["expression", "regular expression"]],

    /** Which usages have it, null for all; and what is wrong with the question, if anything. */
    matching(model, { find, how }) {
      let asked;
      try {
        asked = test(model, find, how);
      } catch (error) {
        return { matches: null, trouble: `Not an expression: ${error.message}.` };
      }
      if (!asked) return { matches: null, trouble: "" };
      const matches = new Uint8Array(model.size), end = performance.now() + LONGEST;
      for (let k = 0; k < model.size; k++) {
        matches[k] = asked(k) ? 1 : 0;
        if (k % 100 === 0 && performance.now() > end) {
          return { matches, trouble: `Stopped after ${s.count(k)} usages, it takes too long: ask for less.` };
        }
      }
      return { matches, trouble: "" };
    },
  };

  s.views.search = {
    start() {
      s.at("find").addEventListener("input", (event) => {
        const ask = () => s.shown && s.change({ find: event.target.value });
        if (s.shown.state.how === "expression") s.later("find", ask, PAUSE);
        else ask();
      });
      s.at("find-how").replaceChildren(...this.options());
      s.at("find-how").addEventListener("change", (event) => s.change({ how: event.target.value }));
    },

    options: () => s.search.HOW.map(([value, label]) => s.make("option", { value }, label)),

    update(model, state, changed) {
      if (changed.has("word")) s.at("find").value = state.find;
      if (changed.has("word") || changed.has("how")) s.at("find-how").value = state.how;
      s.at("find-says").textContent = state.trouble;
      if (state.trouble) s.at("find").setAttribute("aria-invalid", "true");
      else s.at("find").removeAttribute("aria-invalid");
    },
  };
})(window.senseshift);
