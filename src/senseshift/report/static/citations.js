"use strict";
/* Starred usages as citations, of all words: a table, Markdown, TEI; and senses as WUG clusters. */

(function (s) {
  /** Every starred usage, word by word; words that were not looked at are loaded. */
  async function starred() {
    const found = [];
    for (const word of s.edits.words()) {
      const { stars = [], notes = {} } = s.edits.of(word), row = s.overview.rows.find((one) => one.word === word);
      if (!stars.length || !row) continue;
      const data = await s.data.word(row.slug), { usages } = data, desk = new s.Desk(data), { labels } = desk;
      const coded = (column, k) => (!column || column.codes[k] < 0 ? "" : column.values[column.codes[k]]);
      const at = new Map(usages.id.map((id, k) => [id, k]));
      for (const id of stars.filter((one) => at.has(one))) {
        const k = at.get(id), text = usages.text[k];
        found.push({
          word, id, period: coded(usages.period, k), date: (usages.date && usages.date[k]) || "", source: coded(usages.source, k),
          sense: labels[k] || "", by: labels[k] === null ? "" : desk.edited ? "person" : "study", before: text.slice(0, usages.start[k]), target: text.slice(usages.start[k], usages.end[k]),
          after: text.slice(usages.end[k]), note: Object.hasOwn(notes, id) ? notes[id] : "",
        });
      }
    }
    return found;
  }

  function csv(cited) {
    const columns = ["word", "quotation", "date", "source", "id", "period", "sense", "sense_by", "note"];
    const value = (one, name) => (name === "quotation" ? one.before + one.target + one.after : name === "sense_by" ? one.by : one[name]);
    return s.csv([columns, ...cited.map((one) => columns.map((name) => value(one, name)))]);
  }

  /** Text that Markdown shows as it is, on one line. */
  const plain = (text) => text.replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>()#+.!|~&-]/g, "\\$&");

  function markdown(cited) {
    const lines = [];
    let word = null;
    for (const one of cited) {
      if (one.word !== word) lines.push(`## ${plain(one.word)}`, "");
      word = one.word;
      const from = [one.date, one.source, one.period, one.id].filter(Boolean).map(plain).join(", ");
      lines.push(`> ${plain(one.before)}**${plain(one.target)}**${plain(one.after)}`, ">", `> — ${from}`, "");
      if (one.sense) lines.push(`Sense, by the ${one.by}: ${plain(one.sense)}`, "");
      if (one.note) lines.push(plain(one.note), "");
    }
    return `${lines.join("\n").trimEnd()}\n`;
  }

  // What XML cannot hold at all is left out; the rest is escaped.
  const xml = (text) => String(text).replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
  const within = (tag, text, more = "") => (text ? `<${tag}${more}>${xml(text)}</${tag}>` : "");

  function tei(cited) {
    const words = [...new Set(cited.map(({ word }) => word))];
    const notes = (one) => [
      within("note", one.sense, ` type="sense" subtype="${one.by}"`), within("note", one.note, ' type="comment"'),
    ].filter(Boolean).map((note) => `\n        ${note}`).join("");
    const cit = (one) => `      <cit>
        <quote>${xml(one.before)}<hi>${xml(one.target)}</hi>${xml(one.after)}</quote>
        <bibl>${within("title", one.source)}${within("date", one.date)}${within("idno", one.id)}</bibl>${notes(one)}
      </cit>`;
    const div = (word) => `    <div>\n      <head>${xml(word)}</head>\n${cited.filter((one) => one.word === word).map(cit).join("\n")}\n    </div>`;
    return `<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0">
  <teiHeader><fileDesc>
    <titleStmt><title>Citations: ${xml(words.join(", "))}</title></titleStmt>
    <publicationStmt><p>Starred in a report of senseshift, study ${xml(s.received.index.study)}.</p></publicationStmt>
    <sourceDesc><p>The corpora of the study.</p></sourceDesc>
  </fileDesc></teiHeader>
  <text><body>
${words.map(div).join("\n")}
  </body></text>
</TEI>
`;
  }

  /** Senses as word usage graphs have them: clusters/opt/WORD.csv. */
  function clusters(desk) {
    const flat = (text) => String(text).replace(/[\t\r\n\u2028\u2029]/g, " ");
    const labels = desk.labels;
    return `identifier\tcluster\n${desk.ids.map((id, k) => `${flat(id)}\t${labels[k] === null ? -1 : flat(labels[k])}\n`).join("")}`;
  }

  const FORMS = {
    csv: [csv, "csv", "text/csv;charset=utf-8"], markdown: [markdown, "md", "text/markdown;charset=utf-8"], tei: [tei, "xml", "application/xml"],
  };

  s.views.citations = {
    start() {
      for (const button of document.querySelectorAll("[data-cite]")) {
        button.addEventListener("click", async () => {
          const [write, ending, type] = FORMS[button.dataset.cite], cited = await starred();
          s.saveFile("citations", ending, write(cited), type);
          s.say(`${s.plural(cited.length, "citation")} saved.`);
        });
      }
      s.at("clusters").addEventListener("click", () => {
        const { desk } = s.shown.model;
        s.saveFile(desk.word, "csv", clusters(desk), "text/tab-separated-values;charset=utf-8");
        s.say("Senses saved as WUG clusters.");
      });
    },
    update() {},
  };
})(window.senseshift);
