"use strict";
/* A picture of the page: drawn by a pen, with what a pointer does to it, and saved as a file. */

(function (s) {
  const REACH = 12; // pixels about a mark within which the pointer means it
  const STILL = 4; // pixels that a click may move
  const HEAD = 66; // pixels for the title of a picture that is saved
  const PAPER = 660; // width of a picture on paper

  const tip = s.make("div", { class: "tip", role: "tooltip", hidden: true });
  document.body.append(tip);

  s.tip = {
    show(event, ...content) {
      tip.replaceChildren(...content);
      tip.hidden = false;
      const { clientX: x, clientY: y } = event;
      const width = tip.offsetWidth, height = tip.offsetHeight;
      tip.style.left = `${Math.max(8, Math.min(x + 14, innerWidth - width - 8))}px`;
      tip.style.top = `${y + 18 + height > innerHeight ? Math.max(8, y - height - 12) : y + 18}px`;
    },
    hide() {
      tip.hidden = true;
    },
  };

  s.pictures = new Map();

  s.Picture = class {
    /** paint(pen, size) draws and returns the places of what can be pointed at: { x, y } in pixels.
        tip(k) is what to say of the k-th of them, choose(k) what a click does; drag() says whether a
        drag makes a "lasso", a "box", a "range", moves the picture ("pan") or does nothing (null);
        outlined(outline, event) and moved(dx, dy) hear of it, zoomed(factor, x, y) of the wheel. What is
        saved has title() above it, some lines, and key(pen, box), which gives its height, below. */
    constructor(id, options) {
      Object.assign(this, { tip: null, choose: null, drag: () => null, outlined: null, moved: null, zoomed: null, title: () => s.titled(id), key: null }, options);
      this.box = s.at(id);
      this.canvas = s.make("canvas", { "aria-hidden": "true" });
      this.above = s.make("canvas", { "aria-hidden": "true", class: "above" });
      this.box.append(this.canvas, this.above);
      this.spots = { x: [], y: [] };
      this.outline = null;
      this.printing = false;
      this.drawn = 0;
      s.pictures.set(id, this);
      new ResizeObserver(() => this.drawn && !this.printing && this.draw()).observe(this.box);
      this.listen();
    }

    get size() {
      const width = this.printing ? PAPER : this.box.clientWidth;
      return { width, height: this.box.clientHeight };
    }

    fit(canvas) {
      const { width, height } = this.size, scale = this.printing ? 3 : devicePixelRatio || 1;
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      const context = canvas.getContext("2d");
      context.setTransform(scale, 0, 0, scale, 0, 0);
      return context;
    }

    draw() {
      const { width, height } = this.size;
      if (!width || !height) return;
      const context = this.fit(this.canvas);
      context.fillStyle = s.colours.css("card");
      context.fillRect(0, 0, width, height);
      this.spots = this.paint(new s.pens.CanvasPen(context), { width, height }) || { x: [], y: [] };
      this.over();
      this.drawn += 1;
    }

    /** Draw with the next frame; asked again before that, once. */
    soon() {
      if (!this.asked) this.asked = requestAnimationFrame(() => { this.asked = 0; this.draw(); });
    }

    /** The outline of a selection that is being made. */
    over() {
      const context = this.fit(this.above);
      if (!this.outline) return;
      const pen = new s.pens.CanvasPen(context), points = this.corners(this.outline);
      pen.line(points, { closed: true, fill: s.colours.css("accent"), opacity: 0.12 });
      pen.line(points, { closed: true, stroke: s.colours.css("ink"), width: 1.5, dash: [4, 3] });
    }

    corners({ kind, points }) {
      if (kind === "lasso") return points;
      const [[x0, y0], [x1, y1]] = [points[0], points[points.length - 1]], { height } = this.size;
      return kind === "range" ? [[x0, 0], [x1, 0], [x1, height], [x0, height]] : [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
    }

    /** The marks inside an outline. */
    within(outline) {
      const corners = this.corners(outline), found = [], { x, y } = this.spots;
      for (let k = 0; k < x.length; k++) if (holds(corners, x[k], y[k])) found.push(k);
      return found;
    }

    /** The mark at a place; −1 where there is none. Later marks lie above earlier ones. */
    nearest(px, py) {
      const { x, y } = this.spots;
      let best = -1, least = REACH ** 2;
      for (let k = 0; k < x.length; k++) {
        const away = (x[k] - px) ** 2 + (y[k] - py) ** 2;
        if (away <= least) { best = k; least = away; }
      }
      return best;
    }

    listen() {
      const at = (event) => {
        const { left, top } = this.box.getBoundingClientRect();
        return [event.clientX - left, event.clientY - top];
      };
      let began = null;
      this.box.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        began = at(event);
        this.started = { kind: this.drag(), points: [began] };
        if (event.pointerType !== "touch" || this.started.kind) this.box.setPointerCapture(event.pointerId);
      });
      this.box.addEventListener("pointermove", (event) => {
        const place = at(event);
        if (began) {
          const { kind, points } = this.started;
          if (!kind || (!this.outline && kind !== "pan" && Math.hypot(place[0] - began[0], place[1] - began[1]) < STILL)) return;
          s.tip.hide();
          const last = points[points.length - 1];
          points.push(place);
          if (kind === "pan") this.moved(place[0] - last[0], place[1] - last[1]);
          else { this.outline = this.started; this.over(); }
          return;
        }
        const k = this.tip ? this.nearest(...place) : -1;
        this.box.style.cursor = k >= 0 && this.choose ? "pointer" : this.drag() === "pan" ? "grab" : this.drag() ? "crosshair" : "";
        if (k >= 0) s.tip.show(event, ...this.tip(k));
        else s.tip.hide();
      });
      this.box.addEventListener("pointerup", (event) => {
        if (!began) return;
        const place = at(event), outline = this.outline, still = Math.hypot(place[0] - began[0], place[1] - began[1]) < STILL;
        this.stop();
        began = null;
        if (outline) this.outlined(outline, event);
        else if (still && this.choose) {
          const k = this.nearest(...place);
          if (k >= 0) this.choose(k, event);
        }
      });
      this.box.addEventListener("pointercancel", () => { began = null; this.stop(); });
      this.box.addEventListener("pointerleave", () => s.tip.hide());
      // The wheel scrolls the page; with Ctrl, or where a drag moves the picture, it zooms.
      this.box.addEventListener("wheel", (event) => {
        if (!this.zoomed || !(event.ctrlKey || this.drag() === "pan")) return;
        event.preventDefault();
        this.zoomed(1.002 ** event.deltaY, ...at(event));
      }, { passive: false });
    }

    stop() {
      this.outline = null;
      this.started = null;
      if (this.drawn) this.over();
    }

    /** The picture as a file has it: below its title, and above a key to its colours. */
    framed(pen, whole) {
      const { width, height } = this.size, ink = s.colours.css("ink"), quiet = s.colours.css("quiet");
      pen.rect(0, 0, width, whole, { fill: s.colours.css("card") });
      const [title, ...about] = this.title();
      pen.text(12, 20, s.pens.cut(title, width - 24, 18, 600), { size: 18, weight: 600, fill: ink });
      about.forEach((text, k) => pen.text(12, 44 + 18 * k, s.pens.cut(text, width - 24, 13), { size: 13, fill: quiet }));
      pen.shifted(0, HEAD, () => pen.inside(0, 0, width, height, () => this.paint(pen, { width, height })));
      if (this.key) this.key(pen, { x: 12, y: HEAD + height + 4, width: width - 24 });
    }

    /** The height of all that; what a key takes is known when it is drawn. */
    get whole() {
      const { width, height } = this.size;
      return HEAD + height + (this.key ? 10 + this.key(new s.pens.SvgPen(1, 1), { x: 12, y: 0, width: width - 24 }) : 0);
    }

    /** The picture as SVG, as it is on the screen. */
    svg() {
      const { width, height } = this.size, pen = new s.pens.SvgPen(width, height);
      pen.rect(0, 0, width, height, { fill: s.colours.css("card") });
      this.paint(pen, { width, height });
      return pen.source();
    }

    savedSvg() {
      const { whole } = this, pen = new s.pens.SvgPen(this.size.width, whole);
      this.framed(pen, whole);
      return pen.source();
    }

    async save(format) {
      const blob = format === "svg" ? new Blob([this.savedSvg()], { type: "image/svg+xml" }) : await this.png(3);
      s.saveFile([s.shown && s.shown.model.word, this.box.id].filter(Boolean).join("-"), format, blob);
    }

    png(scale) {
      const { whole } = this, canvas = s.make("canvas", { width: this.size.width * scale, height: whole * scale });
      const context = canvas.getContext("2d");
      context.scale(scale, scale);
      this.framed(new s.pens.CanvasPen(context), whole);
      return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    }
  };

  /** Whether a polygon holds a place, by how often a ray from it crosses the edges. */
  function holds(corners, x, y) {
    let inside = false;
    for (let k = 0, before = corners.length - 1; k < corners.length; before = k++) {
      const [x0, y0] = corners[before], [x1, y1] = corners[k];
      if ((y0 > y) !== (y1 > y) && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) inside = !inside;
    }
    return inside;
  }

  /** What a picture is of, in a few lines. */
  s.titled = function (id) {
    const name = s.at(id).getAttribute("aria-label").split(/[;.]/)[0], { shown } = s;
    if (!shown) return [name, s.received.index.cite];
    const { model, state } = shown, some = state.active ? `, ${s.count(s.mask.count(state.active))} of them selected` : "";
    return [model.word, `${name}: ${s.count(model.olds)} usages of ${model.data.old}, ${s.count(model.size - model.olds)} of ${model.data.new}${some}`];
  };

  /** On paper pictures have one width and fine lines; they must be drawn again after this. */
  s.printPictures = function (printing) {
    for (const picture of s.pictures.values()) picture.printing = printing;
  };

  for (const button of document.querySelectorAll("[data-save]")) {
    const name = s.at(button.dataset.plot).getAttribute("aria-label").split(/[;.]/)[0];
    button.setAttribute("aria-label", `Save as ${button.dataset.save.toUpperCase()}: ${name}`);
    button.addEventListener("click", () => s.pictures.get(button.dataset.plot).save(button.dataset.save));
  }
})(window.senseshift);
