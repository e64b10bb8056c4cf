"use strict";
/* One way to draw for screen, file and paper: a pen that draws on a canvas, and one that writes SVG. */

(function (s) {
  const FULL = 2 * Math.PI;
  const measure = document.createElement("canvas").getContext("2d");
  const font = (size, weight = 400) => `${weight} ${size}px ${s.colours.css("sans")}`;

  /** How wide a text is, in pixels. */
  function wide(text, size, weight) {
    measure.font = font(size, weight);
    return measure.measureText(text).width;
  }

  /** A text as long as there is room for it. */
  function cut(text, room, size, weight) {
    const flat = String(text).replace(/\s+/g, " ");
    if (wide(flat, size, weight) <= room) return flat;
    const letters = [...flat];
    while (letters.length && wide(`${letters.join("")}…`, size, weight) > room) letters.pop();
    return letters.length ? `${letters.join("").trimEnd()}…` : "";
  }

  class CanvasPen {
    constructor(context) {
      this.context = context;
    }

    finish({ fill, stroke, width = 1, opacity = 1, dash = [] }) {
      const c = this.context;
      c.globalAlpha = opacity;
      if (fill) { c.fillStyle = fill; c.fill(); }
      if (stroke) { c.strokeStyle = stroke; c.lineWidth = width; c.setLineDash(dash); c.stroke(); }
      c.globalAlpha = 1;
    }

    /** A circle or a square about a place. */
    mark(shape, x, y, size, how) {
      const c = this.context;
      c.beginPath();
      if (shape === "square") c.rect(x - size / 2, y - size / 2, size, size);
      else c.arc(x, y, size / 2, 0, FULL);
      this.finish(how);
    }

    rect(x, y, width, height, how) {
      this.context.beginPath();
      this.context.rect(x, y, width, height);
      this.finish(how);
    }

    /** A line through places, which may be filled. */
    line(points, how) {
      this.context.beginPath();
      points.forEach(([x, y], k) => (k ? this.context.lineTo(x, y) : this.context.moveTo(x, y)));
      if (how.closed) this.context.closePath();
      this.finish(how);
    }

    text(x, y, text, { size = 13, fill, anchor = "start", weight = 400, turned = false, halo = null }) {
      const c = this.context;
      c.save();
      c.translate(x, y);
      if (turned) c.rotate(-Math.PI / 2);
      c.font = font(size, weight);
      c.textAlign = { start: "left", middle: "center", end: "right" }[anchor];
      c.textBaseline = "middle";
      if (halo) { c.strokeStyle = halo; c.lineWidth = 4; c.lineJoin = "round"; c.strokeText(text, 0, 0); }
      c.fillStyle = fill;
      c.fillText(text, 0, 0);
      c.restore();
    }

    /** Draw something elsewhere. */
    shifted(x, y, draw) {
      this.context.save();
      this.context.translate(x, y);
      draw();
      this.context.restore();
    }

    /** Draw something that must not leave a box. */
    inside(x, y, width, height, draw) {
      const c = this.context;
      c.save();
      c.beginPath();
      c.rect(x, y, width, height);
      c.clip();
      draw();
      c.restore();
    }
  }

  const NAMESPACE = "http://www.w3.org/2000/svg";

  /* Texts become text nodes and attributes, so that whatever a corpus holds stays text. */
  class SvgPen {
    constructor(width, height) {
      this.root = this.element("svg", { xmlns: NAMESPACE, width, height, viewBox: `0 0 ${width} ${height}`, "font-family": s.colours.css("sans") });
      this.at = this.root;
      this.clips = 0;
    }

    element(tag, attributes) {
      const element = document.createElementNS(NAMESPACE, tag);
      for (const [name, value] of Object.entries(attributes)) {
        if (name !== "xmlns" && value !== undefined && value !== null) element.setAttribute(name, typeof value === "number" ? Number(value.toFixed(2)) : value);
      }
      return element;
    }

    put(tag, attributes, { fill, stroke, width = 1, opacity = 1, dash = [] }) {
      this.at.append(this.element(tag, {
        ...attributes, fill: fill || "none", ...(stroke ? { stroke, "stroke-width": width } : {}),
        ...(opacity < 1 ? { opacity } : {}), ...(dash.length ? { "stroke-dasharray": dash.join(" ") } : {}),
      }));
    }

    mark(shape, x, y, size, how) {
      if (shape === "square") this.rect(x - size / 2, y - size / 2, size, size, how);
      else this.put("circle", { cx: x, cy: y, r: size / 2 }, how);
    }

    rect(x, y, width, height, how) {
      this.put("rect", { x, y, width, height }, how);
    }

    line(points, how) {
      this.put(how.closed ? "polygon" : "polyline", { points: points.map((point) => point.map((v) => v.toFixed(2)).join(",")).join(" ") }, how);
    }

    text(x, y, text, { size = 13, fill, anchor = "start", weight = 400, turned = false, halo = null }) {
      const element = this.element("text", {
        x, y, "font-size": size, "font-weight": weight, fill, "text-anchor": anchor, "dominant-baseline": "central",
        ...(turned ? { transform: `rotate(-90 ${x.toFixed(2)} ${y.toFixed(2)})` } : {}),
        ...(halo ? { stroke: halo, "stroke-width": 4, "stroke-linejoin": "round", "paint-order": "stroke" } : {}),
      });
      element.textContent = text;
      this.at.append(element);
    }

    shifted(x, y, draw) {
      const group = this.element("g", { transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})` }), outer = this.at;
      this.at.append(group);
      this.at = group;
      draw();
      this.at = outer;
    }

    inside(x, y, width, height, draw) {
      const id = `clip-${this.clips++}`, clip = this.element("clipPath", { id });
      clip.append(this.element("rect", { x, y, width, height }));
      const group = this.element("g", { "clip-path": `url(#${id})` }), outer = this.at;
      this.at.append(clip, group);
      this.at = group;
      draw();
      this.at = outer;
    }

    source() {
      return new XMLSerializer().serializeToString(this.root);
    }
  }

  s.pens = { CanvasPen, SvgPen, wide, cut };
})(window.senseshift);
