"use strict";
/* Scales from values to pixels, and the axes that tell them. */

(function (s) {
  const SMALL = 12; // size of the letters

  s.axes = {
    /** From values between low and high to pixels between two places; back with .value(pixel). */
    scale(low, high, from, to) {
      const span = high - low || 1;
      const place = (value) => from + ((value - low) / span) * (to - from);
      place.value = (pixel) => low + ((pixel - from) / (to - from)) * span;
      return Object.assign(place, { low, high });
    },

    /** Round values between two, about so many. */
    ticks(low, high, count = 6) {
      const rough = (high - low) / count || 1, power = 10 ** Math.floor(Math.log10(rough));
      const step = [1, 2, 2.5, 5, 10].find((size) => size * power >= rough) * power;
      const found = [];
      for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) found.push(k * step);
      return found;
    },

    /** A tick as short as the distance of its neighbours allows. */
    label(value, step) {
      return s.number(value, Math.max(0, Math.min(4, Math.ceil(-Math.log10(step || 1) - 1e-9))));
    },

    /** Below a box: lines at round values, their figures, and what they are. */
    across(pen, scale, { top, bottom, title, ticks = null, text = null, grid = true }) {
      const at = ticks || this.ticks(scale.low, scale.high);
      at.forEach((value, k) => {
        const x = scale(value);
        if (grid) pen.line([[x, top], [x, bottom]], { stroke: s.colours.css("line") });
        pen.text(x, bottom + 13, text ? text[k] : this.label(value, at[1] - at[0]), { size: SMALL, fill: s.colours.css("quiet"), anchor: "middle" });
      });
      const middle = (scale(scale.low) + scale(scale.high)) / 2;
      pen.text(middle, bottom + 33, title, { fill: s.colours.css("ink"), anchor: "middle" });
    },

    /** Beside a box, the same. */
    up(pen, scale, { left, right, title, ticks = null, text = null, grid = true, room = 42 }) {
      const at = ticks || this.ticks(scale.low, scale.high, 5);
      at.forEach((value, k) => {
        const y = scale(value);
        if (grid) pen.line([[left, y], [right, y]], { stroke: s.colours.css(value === 0 ? "edge" : "line") });
        pen.text(left - 7, y, text ? text[k] : this.label(value, at[1] - at[0]), { size: SMALL, fill: s.colours.css("quiet"), anchor: "end" });
      });
      const middle = (scale(scale.low) + scale(scale.high)) / 2;
      if (title) pen.text(left - room, middle, title, { fill: s.colours.css("ink"), anchor: "middle", turned: true });
    },
  };
})(window.senseshift);
