"use strict";
/* One word on one slide: what is said of it, its senses' bars, its map, and what makes it citable. */

(function (s) {
  const WIDTH = 1600, HEIGHT = 900, EDGE = 64;
  const css = (name) => s.colours.css(name);

  function figures(model, row) {
    const { data } = model;
    return [
      `${s.count(model.olds)} usages of ${data.old}, ${s.count(model.size - model.olds)} of ${data.new}`,
      row.p === null || row.p === undefined ? null : s.chance(row.p), row.q === null || row.q === undefined ? null : s.chance(row.q, "q"),
    ].filter(Boolean).join(" · ");
  }

  function paint(pen) {
    const { model, state, pair } = s.shown, { wrapped, texts, bars, map, key } = s.panels;
    const row = s.overview.rows.find((one) => one.word === model.word && one.pair === pair);
    const left = 700, right = EDGE + left + 56, column = WIDTH - EDGE - right;
    pen.rect(0, 0, WIDTH, HEIGHT, { fill: css("card") });
    pen.text(EDGE, 84, s.pens.cut(model.word, left, 56, 600), { size: 56, weight: 600, fill: css("ink") });
    pen.text(EDGE, 136, s.pens.cut(figures(model, row), left, 18), { size: 18, fill: css("quiet") });
    const [first, ...rest] = model.data.summary;
    let y = texts(pen, wrapped(first, left, 26, 4), EDGE, 184, 36, { size: 26, fill: css("ink") });
    y = texts(pen, rest.flatMap((text) => wrapped(text, left, 18, 2)).slice(0, 4), EDGE, y + 8, 27, { size: 18, fill: css("quiet") });
    bars(pen, model, { x: EDGE, y: y + 20, width: left, height: HEIGHT - 110 - y });
    map(pen, model, state.colour, state.active, { x: right, y: 60, width: column, height: 640 });
    const [, by] = model.colourings.find(([name]) => name === state.colour);
    const some = state.active ? `, ${s.count(s.mask.count(state.active))} of ${s.count(model.size)} usages selected` : "";
    pen.text(right, 716, s.pens.cut(`Map of the usages (${model.map}), coloured by ${by}${state.colour === "edited" ? ", edited by a person" : ""}${some}.`, column, 15), { size: 15, fill: css("ink") });
    key(pen, model, state.colour, { x: right, y: 732, width: column });
    pen.line([[EDGE, HEIGHT - 56], [WIDTH - EDGE, HEIGHT - 56]], { stroke: css("line") });
    pen.text(EDGE, HEIGHT - 34, s.pens.cut(`${s.received.index.cite} Study ${s.received.index.study}.`, WIDTH - 2 * EDGE, 14), { size: 14, fill: css("quiet") });
  }

  /** Slides are for paper and light walls. */
  function inLight(draw) {
    s.theme.print(true);
    try {
      return draw();
    } finally {
      s.theme.print(false);
    }
  }

  function drawn(format) {
    return inLight(() => {
      if (format === "svg") {
        const pen = new s.pens.SvgPen(WIDTH, HEIGHT);
        paint(pen);
        return new Blob([pen.source()], { type: "image/svg+xml" });
      }
      const canvas = s.make("canvas", { width: WIDTH, height: HEIGHT });
      paint(new s.pens.CanvasPen(canvas.getContext("2d")));
      return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    });
  }

  s.views.slide = {
    start() {
      for (const button of document.querySelectorAll("[data-slide]")) {
        button.addEventListener("click", async () => {
          const format = button.dataset.slide;
          s.saveFile(`${s.shown.model.word}-slide`, format, await drawn(format));
          s.say("The slide is saved.");
        });
      }
    },
    update() {},
  };
})(window.senseshift);
