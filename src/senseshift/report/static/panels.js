"use strict";
/* Parts of pictures that carry all they need to be read alone: the senses' bars, a map, its key. They
   are drawn from a model by any pen, in a box { x, y, width, height }. */

(function (s) {
  const css = (name) => s.colours.css(name);
  const SENSES = 7; // that have a row

  /** A text in lines of some width, at most so many. */
  function wrapped(text, width, size, most, weight) {
    const lines = [];
    let line = "";
    for (const word of String(text).split(/[ \t\r\n]+/)) {
      const longer = line ? `${line} ${word}` : word;
      if (line && s.pens.wide(longer, size, weight) > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    lines.push(line);
    const kept = lines.slice(0, most);
    if (lines.length > most) kept[most - 1] = `${kept[most - 1]} …`;
    return kept.map((one) => s.pens.cut(one, width, size, weight));
  }

  function texts(pen, lines, x, y, step, how) {
    lines.forEach((line, k) => pen.text(x, y + k * step, line, how));
    return y + lines.length * step;
  }

  /** For each sense its share in every period on one axis from 0 to 100 %, with intervals. */
  function bars(pen, model, { x, y, width, height }) {
    const senses = [...model.senses].sort((a, b) => b.members.length - a.members.length).slice(0, SENSES);
    if (!senses.length) {
      pen.text(x, y + 12, "The study has no senses for this word.", { size: 16, fill: css("quiet") });
      return;
    }
    const columns = model.periods.length, room = Math.min(34 + 24 * columns, (height - 30) / senses.length);
    const thick = Math.min(16, (room - 30) / columns - 4), label = Math.min(150, width / 4);
    const from = x + label, to = x + width - 112, at = (share) => from + share * (to - from);
    for (const share of [0, 0.5, 1]) {
      pen.line([[at(share), y], [at(share), y + room * senses.length]], { stroke: css("line") });
      pen.text(at(share), y + room * senses.length + 12, `${100 * share} %`, { size: 13, fill: css("quiet"), anchor: "middle" });
    }
    senses.forEach((sense, k) => {
      const top = y + k * room, fill = css(sense.direction === "rose" ? "rose-mark" : sense.direction === "fell" ? "fell-mark" : "edge");
      const says = `: ${sense.direction || "no clear change"}${sense.q === null ? "" : `, ${s.chance(sense.q, "q")}`}`;
      pen.text(x, top + 10, s.pens.cut(sense.name, width - s.pens.wide(says, 15, 600), 15, 600) + says, { size: 15, weight: 600, fill: css("ink"), halo: css("card") });
      sense.shares.forEach((share, p) => {
        const middle = top + 24 + (p + 0.5) * (thick + 4);
        pen.text(from - 8, middle, s.pens.cut(model.periods[p], label - 12, 13), { size: 13, fill: css("quiet"), anchor: "end" });
        if (!share) return;
        const [, part, low, high] = share;
        pen.rect(from, middle - thick / 2, at(part) - from, thick, { fill });
        pen.line([[at(low), middle], [at(high), middle]], { stroke: css("ink"), width: 1.5 });
        pen.text(to + 10, middle, `${s.percent(part)} (${Math.round(100 * low)}–${Math.round(100 * high)})`, { size: 13, fill: css("ink") });
      });
    });
  }

  /** Every usage, coloured by a score or a label; what is not selected is faint. */
  function map(pen, model, by, active, { x, y, width, height }) {
    const paint = s.colouring(model, by), [left, right] = s.extremes(model.x), [low, high] = s.extremes(model.y);
    const unit = Math.min((width - 28) / (right - left || 1), (height - 28) / (high - low || 1));
    const size = model.size > 2500 ? 4 : model.size > 600 ? 7 : 10;
    for (const k of [...model.x.keys()].sort((a, b) => model.beyond[a] - model.beyond[b])) {
      const px = x + width / 2 + (model.x[k] - (left + right) / 2) * unit, py = y + height / 2 - (model.y[k] - (low + high) / 2) * unit;
      pen.mark(model.isNew(k) ? "square" : "circle", px, py, size, { fill: paint[k], stroke: css("outline"), width: 0.7, opacity: !active || active[k] ? 0.95 : 0.1 });
    }
  }

  /** What shapes and colours mean; gives the height that it takes. */
  function key(pen, model, by, { x, y, width }) {
    const how = { size: 13, fill: css("quiet") }, score = model.score(by);
    let at = x, row = y + 10;
    const put = (mark, text) => {
      const shown = s.pens.cut(text, width - 24, 13), wide = s.pens.wide(shown, 13) + 40;
      if (at > x && at + wide - 18 > x + width) { at = x; row += 22; }
      mark(at + 6, row);
      pen.text(at + 17, row, shown, how);
      at += wide;
    };
    const shape = (kind) => (px, py) => pen.mark(kind, px, py, 10, { stroke: css("quiet"), width: 1.5, fill: css("card") });
    put(shape("circle"), `${model.data.old} (old)`);
    put(shape("square"), `${model.data.new} (new)`);
    const swatch = (fill) => (px, py) => pen.rect(px - 6, py - 6, 12, 12, { fill, stroke: css("outline"), width: 0.7 });
    if (!score) {
      const labels = [...s.colours.labels(model[by])];
      for (const [label, colour] of labels.slice(0, 12)) put(swatch(colour), model.nameOf(by, label));
      if (labels.length > 12) put(() => {}, `and ${labels.length - 12} more`);
      if (model[by].includes(null)) put(swatch(css("card")), "none");
      return row - y + 14;
    }
    if (by === "excess") put(swatch(css("within")), "within chance");
    const limits = s.received.index.scales[by], shade = s.colours.shade(limits), end = score.squashed ? Math.expm1(limits[1]) : limits[1];
    const digits = Math.max(1, score.digits - 1), [less, more] = score.ends;
    const [before, after] = [`${score.label}: ${less} ${s.number(-end, digits)}`, `${s.number(end, digits, true)} ${more}`];
    const wide = s.pens.wide(before, 13) + s.pens.wide(after, 13) + 150;
    if (at + wide > x + width) { at = x; row += 22; }
    pen.text(at, row, before, how);
    const start = at + s.pens.wide(before, 13) + 8;
    for (let k = 0; k < 40; k++) pen.rect(start + 3 * k, row - 6, 3.2, 12, { fill: shade(limits[1] * ((k + 0.5) / 20 - 1)) });
    pen.text(start + 128, row, after, how);
    return row - y + 14;
  }

  s.panels = { wrapped, texts, bars, map, key };
})(window.senseshift);
