"use strict";
/* One namespace for the scripts of the report, and what all of them use.
   Texts of a corpus only ever become text nodes here: nothing parses them as HTML. */

window.senseshift = {
  received: {},

  /** Files of data call this: a script may be loaded from a folder, where a request may not. */
  receive(name, data) {
    this.received[name] = data;
  },

  /** An element by its id. */
  at(id) {
    return document.getElementById(id);
  },

  /** A new element: attributes, then children, which are elements or text. */
  make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value === true) element.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  },

  /** A number as people read it, with a true minus sign. */
  number(value, digits = 3, sign = false) {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    const text = Math.abs(value) >= 1000 ? Math.abs(value).toPrecision(4) : Math.abs(value).toFixed(digits);
    const zero = Number(text) === 0;
    return (value < 0 && !zero ? "−" : sign && !zero ? "+" : "") + text;
  },

  /** A p-value with its sign; the least that so many permutations can give is told as such. */
  chance(value, name = "p") {
    const floor = this.received.index.permutations + 1;
    if (name === "p" && value <= 1.000001 / floor) return `p ≤ 1/${floor}`;
    return value < 0.001 ? `${name} < 0.001` : `${name} = ${this.number(value, 3)}`;
  },

  count(value) {
    return value.toLocaleString("en-GB");
  },

  percent(share) {
    if (share > 0 && share < 0.01) return "< 1 %";
    if (share < 1 && share > 0.99) return "> 99 %";
    const whole = Math.floor(share * 100), part = share * 100 - whole; // a half goes to the even side, as in the statement
    return `${part === 0.5 ? whole + (whole % 2) : Math.round(share * 100)} %`;
  },

  plural(count, noun) {
    return `${this.count(count)} ${noun}${count === 1 ? "" : "s"}`;
  },

  /** The least and the greatest of any number of values. */
  extremes(values) {
    return [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)];
  },

  /** Say it to those who listen rather than look. */
  say(text) {
    this.at("live").textContent = text;
  },

  /** Do something after the next paint and a pause; asked again before that, it is done once. */
  later(name, action, pause = 0) {
    clearTimeout(this.waiting.get(name));
    this.waiting.set(name, setTimeout(() => requestAnimationFrame(() => setTimeout(action)), pause));
  },
  waiting: new Map(),

  /** The views of a word; each has start() and update(model, state, changed). */
  views: {},

  /** Buttons of which one is pressed. */
  press(buttons, isPressed) {
    for (const button of buttons) button.setAttribute("aria-pressed", String(isPressed(button)));
  },
};
