"use strict";
/* The selection as files: a table for spreadsheets, and uses for annotation. */

(function (s) {
  /** Save a text or a blob under a name that every file system takes. */
  s.saveFile = function (name, ending, content, type = content.type) {
    const called = `${name.replace(/[^\p{L}\p{N}_-]+/gu, "-")}.${ending}`;
    const link = s.make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: called });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };

  /** A place in a text counted in characters, as files do, not in UTF-16 units, as scripts do. */
  const characters = (text, units) => [...text.slice(0, units)].length;

  const span = (model, k) => [model.start[k], model.end[k]].map((place) => characters(model.text[k], place));

  /** Whether a spreadsheet would take a text for a formula, which may run commands. */
  const isFormula = (value) => typeof value === "string" && /^[=+\-@\t\r]/.test(value);

  function cell(value) {
    const text = value === null || value === undefined ? "" : (isFormula(value) ? "'" : "") + value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  /** Rows as a table for spreadsheets; the mark at its beginning is for Excel, which else takes UTF-8
      for something else. */
  s.csv = (rows) => `\ufeff${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;

  function csv(model, usages) {
    const labels = model.desk.labels, shift = (k) => (isFormula(model.text[k]) ? 1 : 0); // by the sign before it
    const columns = [
      ["word", () => model.word], ["period", (k) => model.period(k)], ["id", (k) => model.id[k]], ["text", (k) => model.text[k]],
      ["start", (k) => span(model, k)[0] + shift(k)], ["end", (k) => span(model, k)[1] + shift(k)],
      ...["date", "source"].filter((name) => model[name]).map((name) => [name, (k) => model[name][k]]),
      ...model.more.map(([name, column]) => [name, (k) => column[k]]),
      ...model.labels.filter(([name]) => name !== "edited").map(([name]) => [name, (k) => model[name][k]]),
      [model.edited ? "sense_edited" : "sense_name", (k) => labels[model.data.at[k]]],
      ...model.scores.map(({ name }) => [name, (k) => model[name][k]]),
    ];
    return s.csv([columns.map(([name]) => name), ...usages.map((k) => columns.map(([, value]) => value(k)))]);
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
    csv: [csv, "text/csv;charset=utf-8", ""],
    wug: [wug, "text/tab-separated-values;charset=utf-8", "-uses"],
  };

  s.views.downloads = {
    start() {
      for (const button of document.querySelectorAll("[data-download]")) {
        button.addEventListener("click", () => {
          const { model, state } = s.shown;
          const usages = s.mask.members(state.active, model.size);
          const [write, type, kind] = FORMATS[button.dataset.download];
          s.saveFile(`${model.word}${kind}`, "csv", write(model, usages), type);
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
