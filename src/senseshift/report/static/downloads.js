"use strict";
/* The selection as files: a table for spreadsheets, and uses for annotation. */

(function (s) {
  function save(name, text, type) {
    const link = s.make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  /** A place in a text counted in characters, as files do, not in UTF-16 units, as scripts do. */
  const characters = (text, units) => [...text.slice(0, units)].length;

  const span = (model, k) => [model.start[k], model.end[k]].map((place) => characters(model.text[k], place));

  const cell = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };

  function csv(model, usages) {
    const columns = [
      ["word", () => model.word], ["period", (k) => model.period(k)], ["id", (k) => model.id[k]], ["text", (k) => model.text[k]],
      ["start", (k) => span(model, k)[0]], ["end", (k) => span(model, k)[1]],
      ...["date", "source"].filter((name) => model[name]).map((name) => [name, (k) => model[name][k]]),
      ...model.more.map(([name, column]) => [name, (k) => column[k]]),
      ...model.labels.map(([name]) => [name, (k) => model[name][k]]),
      ...model.scores.map(({ name }) => [name, (k) => model[name][k]]),
    ];
    const rows = usages.map((k) => columns.map(([, value]) => cell(value(k))).join(","));
    // The mark at the beginning is for Excel, which else takes UTF-8 for something else.
    return `\ufeff${[columns.map(([name]) => name).join(","), ...rows].join("\r\n")}\r\n`;
  }

  /** Uses as DWUG and DURel have them: tabs, no quoting; characters one for one, so that spans stay.
      A lemma there has no spaces, commas or hyphens. */
  function wug(model, usages) {
    const plain = (value) => (value === null || value === undefined || value === "" ? " " : String(value).replace(/[\t\r\n\u2028\u2029]/g, " "));
    const columns = [
      ["lemma", () => model.word.replace(/[\s,-]+/g, "_")], ["pos", () => ""], ["date", (k) => model.date && model.date[k]], ["grouping", (k) => model.period(k)],
      ["identifier", (k) => model.id[k]], ["description", () => ""], ["context", (k) => model.text[k]],
      ["indexes_target_token", (k) => span(model, k).join(":")],
      ["indexes_target_sentence", (k) => `0:${[...model.text[k]].length}`],
      ...(model.source ? [["source", (k) => model.source[k]]] : []),
    ];
    const rows = usages.map((k) => columns.map(([, value]) => plain(value(k))).join("\t"));
    return `${[columns.map(([name]) => name).join("\t"), ...rows].join("\n")}\n`;
  }

  const FORMATS = {
    csv: [csv, "text/csv;charset=utf-8", (name) => `${name}.csv`],
    wug: [wug, "text/tab-separated-values;charset=utf-8", (name) => `${name}-uses.csv`],
  };

  s.views.downloads = {
    start() {
      for (const button of document.querySelectorAll("[data-download]")) {
        button.addEventListener("click", () => {
          const { model, state } = s.shown;
          const usages = s.mask.members(state.active, model.size);
          const [write, type, name] = FORMATS[button.dataset.download];
          save(name(model.word.replace(/[^\p{L}\p{N}_-]+/gu, "-")), write(model, usages), type);
          s.say(`${s.plural(usages.length, "usage")} saved.`);
        });
      }
      s.at("copy-link").addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(location.href);
          s.say("The link is copied.");
          s.at("copy-link").textContent = "Copied";
          setTimeout(() => { s.at("copy-link").textContent = "Copy link"; }, 1500);
        } catch {
          s.say("The link is in the address bar.");
        }
      });
    },

    update(model, state) {
      const count = state.active ? s.mask.count(state.active) : model.size;
      for (const button of document.querySelectorAll("[data-download]")) {
        button.setAttribute("aria-label", `Save ${s.plural(count, "usage")} as ${button.textContent}`);
        button.disabled = count === 0;
      }
    },
  };
})(window.senseshift);
