"use strict";
/* Every word as a point: how far it changed, across, and whether it broadened or narrowed, up.
   Whiskers are intervals; a band shows how far most reference words changed. */

(function (s) {
  const data = s.received.index;
  const LABELLED = 14; // words that are named
  const TRIED = 60; // of the most changed ones
  const ROOM = { left: 74, right: 18, top: 26, bottom: 48 };
  // Sides of a point, with the middle of a name of some width from there, in pixels.
  const SIDES = [() => [0, -15], () => [0, 15], (width) => [width / 2 + 9, 0], (width) => [-width / 2 - 9, 0]];
  let picture = null;
  let words = [];
  let measures = [null, null];

  const label = (row) => (data.several ? `${row.word} ${row.old}→${row.new}` : row.word);

  /** The interval of a measure of a word, where one is known. */
  const interval = (row, measure) => (row.intervals[measure] || [null]).includes(null) ? null : row.intervals[measure];

  function scale(measure, from, to) {
    const values = words.flatMap((row) => [row.measures[measure], ...(interval(row, measure) || [])]).filter(Number.isFinite);
    if (!values.length) return s.axes.scale(-1, 1, from, to);
    const [low, high] = s.extremes([...values, ...(measure === "change" && data.band ? data.band : [])]), room = (high - low) * 0.05 || 0.5;
    return s.axes.scale(low - room, high + room, from, to);
  }

  function paint(pen, { width, height }) {
    const [magnitude, scope] = measures, bottom = height - ROOM.bottom, right = width - ROOM.right;
    const across = scale(magnitude, ROOM.left, right), up = scope ? scale(scope, bottom, ROOM.top) : s.axes.scale(-1, 1, bottom, ROOM.top);
    if (magnitude === "change" && data.band) band(pen, across, bottom);
    s.axes.across(pen, across, { top: ROOM.top, bottom, title: `${magnitude} → changed more` });
    s.axes.up(pen, up, { left: ROOM.left, right, ticks: scope ? null : [], title: scope ? s.pens.cut(`← narrowed   ${scope}   broadened →`, bottom - ROOM.top, 13) : "", room: 52 });
    const known = (value) => (Number.isFinite(value) ? value : null);
    const at = words.map((row) => [known(row.measures[magnitude]), scope ? known(row.measures[scope]) : 0])
      .map(([x, y]) => (x === null || y === null ? [NaN, NaN] : [across(x), up(y)]));
    words.forEach((row, k) => whiskers(pen, row, at[k], across, up));
    words.forEach((row, k) => {
      if (Number.isNaN(at[k][0])) return;
      // Full where the study says that the word changed; in which way is not for a point to say.
      const full = { fill: s.colours.css("accent"), stroke: s.colours.css("card") };
      const hollow = { fill: s.colours.css("card"), stroke: s.colours.css("quiet"), width: 1.6 };
      pen.mark("circle", ...at[k], 10, row.changed ? full : hollow);
    });
    names(pen, at, width);
    return { x: at.map(([x]) => x), y: at.map(([, y]) => y) };
  }

  /** How far most of the reference words changed. */
  function band(pen, across, bottom) {
    const [low, high] = data.band.map(across);
    pen.rect(low, ROOM.top, high - low, bottom - ROOM.top, { fill: s.colours.css("within"), opacity: 0.35 });
    const text = "nine of ten reference words", half = s.pens.wide(text, 12) / 2;
    const middle = Math.max(ROOM.left + half, Math.min(across(across.high) - half, (low + high) / 2));
    pen.text(middle, 12, text, { size: 12, fill: s.colours.css("quiet"), anchor: "middle" });
  }

  function whiskers(pen, row, [x, y], across, up) {
    if (Number.isNaN(x)) return;
    const how = { stroke: s.colours.css("quiet"), width: 1, opacity: 0.55 }, [magnitude, scope] = measures;
    const [wide, high] = [interval(row, magnitude), scope && interval(row, scope)];
    if (wide) pen.line([[across(wide[0]), y], [across(wide[1]), y]], how);
    if (high) pen.line([[x, up(high[0])], [x, up(high[1])]], how);
  }

  /** The names of the most changed words, where there is room. */
  function names(pen, at, width) {
    const taken = at.map(([x, y]) => [x - 6, x + 6, y - 6, y + 6]);
    const meet = (a, b) => a[0] < b[1] && a[1] > b[0] && a[2] < b[3] && a[3] > b[2];
    const order = [...at.keys()].filter((k) => !Number.isNaN(at[k][0])).sort((a, b) => words[b].changed - words[a].changed || at[b][0] - at[a][0]).slice(0, TRIED);
    let named = 0;
    for (const k of order) {
      if (named === LABELLED) break;
      const text = s.pens.cut(label(words[k]), 170, 12.5), wide = s.pens.wide(text, 12.5);
      for (const side of SIDES) {
        const [dx, dy] = side(wide), [x, y] = [at[k][0] + dx, at[k][1] + dy];
        const box = [x - wide / 2 - 2, x + wide / 2 + 2, y - 8, y + 8];
        if (box[0] < ROOM.left || box[1] > width - 2 || taken.some((other, j) => j !== k && meet(box, other))) continue;
        taken.push(box);
        pen.text(x, y, text, { size: 12.5, fill: s.colours.css("ink"), anchor: "middle", halo: s.colours.css("card") });
        named += 1;
        break;
      }
    }
  }

  function tip(k) {
    const row = words[k];
    const figures = measures.filter(Boolean).map((name) => {
      const bounds = interval(row, name);
      return `${name} ${s.number(row.measures[name], 3)}${bounds ? ` (${s.number(bounds[0], 3)} to ${s.number(bounds[1], 3)})` : ""}`;
    }).join(", ");
    return [s.make("strong", { dir: "auto" }, label(row)), s.make("div", {}, `${row.verdict}. ${figures}`)];
  }

  s.chart = {
    label,

    /** Draw some words by two measures. */
    draw(rows, magnitude, scope) {
      words = rows;
      measures = [magnitude, scope];
      picture = picture || new s.Picture("chart", {
        paint, tip, choose: (k) => { s.tip.hide(); location.hash = s.overview.link(words[k]); },
      });
      picture.draw();
    },
  };
})(window.senseshift);
