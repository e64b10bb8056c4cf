"use strict";
/* Regular expressions whose time grows with the text and never beyond: a browser's own may take
   years for (a+)+$. Letters are those of Unicode, case does not count, a dot is any character. */

(function (s) {
  const LETTER = "\\p{L}\\p{N}\\p{M}_";
  const MOST = 600; // steps of an expression
  const LONGEST = 400; // characters
  const isLetter = new RegExp(`[${LETTER}]`, "u");
  const STEPS = { "*": [0, Infinity], "+": [1, Infinity], "?": [0, 1] };

  /** What an expression consists of; it has been found to be one already. */
  class Parser {
    constructor(source) {
      this.source = source;
      this.at = 0;
    }

    /** Take what a pattern finds here. */
    take(pattern) {
      const sticky = new RegExp(pattern, "uy");
      sticky.lastIndex = this.at;
      const found = sticky.exec(this.source);
      if (found) this.at = sticky.lastIndex;
      return found;
    }

    choice() {
      const ways = [this.sequence()];
      while (this.take("\\|")) ways.push(this.sequence());
      return ways.length > 1 ? { ways } : ways[0];
    }

    sequence() {
      const parts = [];
      while (this.at < this.source.length && !"|)".includes(this.source[this.at])) parts.push(this.repeated());
      return { parts };
    }

    repeated() {
      const part = this.one();
      const found = this.take("([*+?]|\\{(\\d+)(,(\\d*))?\\})\\??");
      if (!found) return part;
      const [, sign, low, comma, high] = found;
      const [least, most] = STEPS[sign] || [Number(low), comma ? (high ? Number(high) : Infinity) : Number(low)];
      return { part, least, most };
    }

    one() {
      if (this.take("\\((?:\\?:|\\?<[\\p{L}_$][\\p{L}\\p{N}_$]*>|(?!\\?))")) {
        const inside = this.choice();
        this.take("\\)");
        return inside;
      }
      if (this.take("\\(\\?")) throw new Error("look-around, (?= (?! (?<= (?<!, is not read here");
      const edge = this.take("[\\^$]|\\\\[bB]");
      if (edge) return { edge: edge[0] };
      if (this.take("\\\\(?:[1-9]|k)")) throw new Error("a reference back, such as \\1, is not read here");
      const [unit] = this.take("\\\\(?:u\\{[^}]*\\}|u.{4}|x..|c.|[pP]\\{[^}]*\\}|[^])|\\[(?:\\\\[^]|[^\\]\\\\])*\\]|[^]");
      return { test: test(unit) };
    }
  }

  /** Whether one character is of a kind; asked once for each. */
  function test(unit) {
    const wide = unit.startsWith("[") ? unit.replace(/\\w/g, LETTER)
      : unit === "\\w" ? `[${LETTER}]` : unit === "\\W" ? `[^${LETTER}]` : unit;
    const kind = new RegExp(`^${wide}$`, "ius"), known = new Map();
    return (character) => {
      if (!known.has(character)) known.set(character, kind.test(character));
      return known.get(character);
    };
  }

  /** Steps, one after the other: a test of one character, an edge, or places to go on at. */
  function compile(node, steps) {
    steps.made = (steps.made || 0) + 1;
    if (steps.length > MOST || steps.made > 10 * MOST) throw new Error("it is too long");
    if (node.test || node.edge) steps.push(node);
    else if (node.parts) node.parts.forEach((part) => compile(part, steps));
    else if (node.ways) {
      const ends = [];
      node.ways.forEach((way, k) => {
        const fork = k < node.ways.length - 1 ? steps.push({}) - 1 : null;
        compile(way, steps);
        if (fork === null) return;
        ends.push(steps.push({}) - 1);
        steps[fork].to = [fork + 1, steps.length];
      });
      for (const end of ends) steps[end].to = [steps.length];
    } else repeat(node, steps);
    return steps;
  }

  function repeat({ part, least, most }, steps) {
    for (let k = 0; k < least; k++) compile(part, steps);
    if (most === Infinity) {
      const fork = steps.push({}) - 1;
      compile(part, steps);
      steps.push({ to: [fork] });
      steps[fork].to = [fork + 1, steps.length];
      return;
    }
    const forks = [];
    for (let k = least; k < most; k++) {
      forks.push(steps.push({}) - 1);
      compile(part, steps);
    }
    for (const fork of forks) steps[fork].to = [fork + 1, steps.length];
  }

  function holds(edge, before, after) {
    if (edge === "^") return before === undefined;
    if (edge === "$") return after === undefined;
    const inside = (one) => one !== undefined && isLetter.test(one);
    return (inside(before) !== inside(after)) === (edge === "\\b");
  }

  /** All ways through the steps are followed at once, a character at a time. */
  function finds(steps, text) {
    const seen = new Int32Array(steps.length + 1).fill(-1);
    let here = [], next = [], found = false;
    const waiting = [];
    const enter = (first, list, place, before, after) => {
      waiting.push(first);
      while (waiting.length) {
        const at = waiting.pop();
        if (seen[at] === place) continue;
        seen[at] = place;
        const step = steps[at];
        if (!step) found = true;
        else if (step.test) list.push(step.test, at + 1);
        else if (step.to) waiting.push(...step.to);
        else if (holds(step.edge, before, after)) waiting.push(at + 1);
      }
    };
    const characters = /[\ud800-\udfff]/.test(text) ? [...text] : text;
    for (let place = 0; place <= characters.length; place++) {
      const before = characters[place - 1], character = characters[place], after = characters[place + 1];
      enter(0, here, place, before, character);
      if (found) return true;
      if (character === undefined) return false;
      for (let k = 0; k < here.length; k += 2) if (here[k](character)) enter(here[k + 1], next, place + 1, character, after);
      if (found) return true;
      [here, next] = [next, here];
      next.length = 0;
    }
    return false;
  }

  /** A function that says whether an expression is found in a text; throws an Error that says why not. */
  s.expression = function (source) {
    if (source.length > LONGEST) throw new Error("it is too long");
    try {
      RegExp(source, "u");
    } catch (error) {
      throw new Error(error.message.replace(/^Invalid regular expression: \/[^]*\/u: /, "").toLowerCase());
    }
    const steps = compile(new Parser(source).choice(), []);
    return (text) => finds(steps, text);
  };
})(window.senseshift);
