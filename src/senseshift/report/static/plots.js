"use strict";
/* What all pictures have in common: colours of the page, no buttons of plotly's own, nothing from
   the network; the tooltip; saving as SVG and PNG. */

(function (s) {
  const CONFIG = { displayModeBar: false, displaylogo: false, responsive: true, doubleClick: false, scrollZoom: true };

  const PAPER = 660; // width of a picture on paper

  s.plots = {
    printing: false,

    /** A layout with the colours of the page. */
    layout(more) {
      const ink = s.colours.css("ink");
      const axis = () => ({
        gridcolor: s.colours.css("line"), zerolinecolor: s.colours.css("edge"),
        linecolor: s.colours.css("edge"), tickfont: { color: s.colours.css("quiet") }, fixedrange: true,
      });
      const layout = {
        paper_bgcolor: s.colours.css("card"), plot_bgcolor: s.colours.css("card"),
        font: { family: s.colours.css("sans"), size: 13, color: ink },
        ...(s.plots.printing ? { width: PAPER } : {}),
        margin: { l: 56, r: 16, t: 12, b: 44 }, showlegend: false, hovermode: "closest",
        ...more,
        xaxis: { ...axis(), ...more.xaxis }, yaxis: { ...axis(), ...more.yaxis },
      };
      return layout;
    },

    /** Draw a picture; drawn already, it is changed. */
    async draw(id, data, layout) {
      const plotly = await s.data.plotly();
      await plotly.react(s.at(id), data, layout, CONFIG);
      const svg = s.at(id).querySelector("svg.main-svg");
      if (svg) svg.setAttribute("aria-hidden", "true");
    },

    /** Listen to a picture, once it is there. */
    on(id, events) {
      const plot = s.at(id);
      if (plot.listening) return;
      plot.listening = true;
      for (const [name, action] of Object.entries(events)) plot.on(`plotly_${name}`, action);
    },

    /** The kind of scatter plot that stays smooth with so many points. */
    kind(points) {
      return points > 2500 && webgl() ? "scattergl" : "scatter";
    },

    async save(id, format) {
      const plotly = await s.data.plotly();
      const plot = s.at(id);
      await plotly.downloadImage(plot, {
        format, filename: [s.shown && s.shown.model.word, id].filter(Boolean).join("-").replace(/[^\p{L}\p{N}_-]+/gu, "-"),
        width: plot.clientWidth, height: plot.clientHeight, scale: format === "png" ? 3 : 1,
      });
    },
  };

  let canDraw = null;
  function webgl() {
    if (canDraw === null) canDraw = Boolean(document.createElement("canvas").getContext("webgl"));
    return canDraw;
  }

  /* The wheel scrolls the page; with Ctrl, or where a drag moves the map, it zooms. */
  s.plots.wheel = function (id, zooms) {
    s.at(id).addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !zooms()) event.stopImmediatePropagation();
    }, { capture: true });
  };

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

  for (const button of document.querySelectorAll("[data-save]")) {
    const picture = s.at(button.dataset.plot).getAttribute("aria-label").split(/[;.]/)[0];
    button.setAttribute("aria-label", `Save as ${button.dataset.save.toUpperCase()}: ${picture}`);
    button.addEventListener("click", () => s.plots.save(button.dataset.plot, button.dataset.save));
  }
})(window.senseshift);
