"use strict";
/* Colours of scores, senses and the page itself, light and dark.
   What fell is blue and what rose is orange everywhere; both stay apart in colour blindness. */

(function (s) {
  // On a dark page what did not shift recedes into the ground, as white does on a light one.
  const DARK = [
    "#82bbff", "#6399dc", "#4f78ab", "#435b7b", "#3d434d",
    "#3d434d", "#76543f", "#aa6a45", "#dd8551", "#ffa46b",
  ];

  s.colours = {
    /** A colour of the style sheet. */
    css(name) {
      return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    },

    dark() {
      return this.css("scheme") === "dark";
    },

    diverging() {
      return this.dark() ? DARK : s.received.index.palette.diverging;
    },

    /** LDR spans orders of magnitude: sgn(x)·log(1 + |x|). */
    squash(value) {
      return Math.sign(value) * Math.log1p(Math.abs(value));
    },

    /** Colours from −high to +high with their places on 0 … 1; nothing is told apart below low. */
    scale([low, high]) {
      return this.diverging().map((colour, k) => {
        const size = k < 5 ? high - ((high - low) * k) / 4 : low + ((high - low) * (k - 5)) / 4;
        return [Math.min(1, Math.max(0, ((k < 5 ? -size : size) / high + 1) / 2)), colour];
      });
    },

    /** From a score to its colour. */
    shade(limits) {
      const stops = this.scale(limits), [, high] = limits;
      const steps = [...Array(STEPS + 1).keys()].map((k) => between(stops, k / STEPS));
      return (value) => steps[Math.round(STEPS * Math.min(1, Math.max(0, (value / high + 1) / 2)))];
    },

    /** The scale as a background for a legend. */
    gradient(limits) {
      const stops = this.scale(limits).map(([place, colour]) => `${colour} ${(100 * place).toFixed(1)}%`);
      return `linear-gradient(to right, ${stops.join(", ")})`;
    },

    /** A colour of its own for each label, the most frequent first; by label. */
    labels(values) {
      const counts = new Map();
      for (const value of values) if (value !== null) counts.set(value, (counts.get(value) || 0) + 1);
      const { senses } = s.received.index.palette;
      const frequent = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a) || s.natural(a, b));
      // Beyond those that all eyes tell apart hues go round by the golden angle, light and dark in turn.
      const more = (k) => `hsl(${Math.round(k * 137.5) % 360} ${55 - 15 * (k % 2)}% ${[38, 68, 52][k % 3]}%)`;
      return new Map(frequent.map((label, k) => [label, senses[k] || more(k)]));
    },
  };

  const STEPS = 128;

  /** The colour at a place between stops. */
  function between(stops, place) {
    const after = Math.max(1, stops.findIndex(([at]) => at >= place));
    const [[from, one], [to, other]] = [stops[after - 1], stops[after]];
    const share = to > from ? (place - from) / (to - from) : 1;
    const part = (colour, k) => parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16);
    return `rgb(${[0, 1, 2].map((k) => Math.round(part(one, k) * (1 - share) + part(other, k) * share)).join(" ")})`;
  }

  const collator = new Intl.Collator("und", { numeric: true });
  s.natural = (a, b) => collator.compare(a, b);

  /* The theme: as the system has it, or as the reader wants it. */
  const THEMES = ["automatic", "light", "dark"];
  let theme = "automatic";
  try {
    theme = localStorage.getItem("senseshift-theme") || theme;
  } catch { /* some browsers keep nothing for files */ }

  function apply() {
    const root = document.documentElement;
    if (theme === "automatic") delete root.dataset.theme;
    else root.dataset.theme = theme;
    s.at("theme").querySelector("span").textContent = theme;
  }

  s.theme = {
    listen(action) {
      s.at("theme").addEventListener("click", () => {
        theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
        try {
          localStorage.setItem("senseshift-theme", theme);
        } catch { /* then only until the page is closed */ }
        apply();
        action();
      });
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", action);
    },

    /** Paper is light. */
    print(printing) {
      if (printing) document.documentElement.dataset.theme = "light";
      else apply();
    },
  };
  if (!THEMES.includes(theme)) theme = "automatic";
  apply();
})(window.senseshift);
