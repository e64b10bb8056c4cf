"use strict";
/* A person's work on the study: senses of usages, stars and notes. It is kept in the browser under
   the study's identity, and saved as the JSON that `senseshift relabel` reads. For every word that
   was worked on there is { senses: { key: name }, usages: { id: key or null }, stars, notes }. */

(function (s) {
  const FORMAT = "senseshift workbench", VERSION = 1;
  const KEY = `senseshift-workbench-${s.received.index.study}`;
  const LONGEST = { name: 120, note: 4000 };
  const UNDONE = 200; // steps that can be taken back
  const past = [];
  let words = new Map();
  let trouble = "";

  const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

  /** What is wrong with a word's entry; nothing where it can be taken. */
  function wrong(entry) {
    if (!isObject(entry)) return "is no object";
    const { senses = {}, usages = {}, stars = [], notes = {} } = entry;
    if (!isObject(senses) || !isObject(usages) || !isObject(notes) || !Array.isArray(stars)) return "is not as a workbench has it";
    if ("senses" in entry !== "usages" in entry) return "has senses without usages, or usages without senses";
    const names = Object.values(senses);
    if (!names.every((name) => typeof name === "string" && name.trim())) return "has a sense without a name";
    if (new Set(names).size < names.length) return "has two senses of one name";
    if (!Object.values(usages).every((key) => key === null || (typeof key === "string" && Object.hasOwn(senses, key)))) return "has a usage in a sense that there is not";
    if (![...stars, ...Object.values(notes)].every((one) => typeof one === "string")) return "has a note that is no text";
    return "";
  }

  /** The words of a saved text; throws an Error that says in a sentence what is wrong. */
  function parsed(text) {
    let data;
    try {
      data = JSON.parse(text);
    } catch {
      throw new Error("it is not JSON.");
    }
    if (!isObject(data) || data.format !== FORMAT || !isObject(data.words)) throw new Error("it was not saved by this workbench.");
    if (data.version !== VERSION) throw new Error(`it is of version ${String(data.version).slice(0, 20)}, this page reads ${VERSION}.`);
    const entries = Object.entries(data.words);
    for (const [word, entry] of entries) {
      const why = wrong(entry);
      if (why) throw new Error(`the word “${word.slice(0, 60)}” ${why}.`);
    }
    return new Map(entries);
  }

  const text = (spaces) => `${JSON.stringify({ format: FORMAT, version: VERSION, study: s.received.index.study, words: Object.fromEntries(words) }, null, spaces)}\n`;

  function keep() {
    try {
      if (words.size) localStorage.setItem(KEY, text());
      else localStorage.removeItem(KEY);
      trouble = "";
    } catch {
      trouble = "This browser cannot keep your work: save it as JSON before you close the page.";
    }
  }

  function recall() {
    try {
      const kept = localStorage.getItem(KEY);
      words = kept ? parsed(kept) : new Map();
    } catch {
      trouble = "What this browser kept of your work cannot be read.";
    }
  }

  /** Put other words in place of these; undo brings them back. */
  function replace(next) {
    past.push(words);
    if (past.length > UNDONE) past.shift();
    words = next;
    keep();
    s.edited();
  }

  /** Change the entry of one word; what is empty of it goes. */
  function change(word, patch) {
    const entry = { ...words.get(word), ...patch };
    if (entry.stars && !entry.stars.length) delete entry.stars;
    if (entry.notes && !Object.keys(entry.notes).length) delete entry.notes;
    const next = new Map(words);
    if (Object.keys(entry).length) next.set(word, entry);
    else next.delete(word);
    replace(next);
  }

  s.edits = {
    of: (word) => words.get(word) || {},
    words: () => [...words.keys()],
    text: () => text(1),
    trouble: () => trouble,
    steps: () => past.length,
    longest: LONGEST,

    senses: (word, senses, usages) => change(word, { senses, usages }),

    star(word, ids, on) {
      const stars = new Set(words.get(word)?.stars);
      for (const id of ids) if (on) stars.add(id); else stars.delete(id);
      change(word, { stars: [...stars] });
    },

    note(word, id, note) {
      const notes = new Map(Object.entries(words.get(word)?.notes || {}));
      if (note.trim()) notes.set(id, note.slice(0, LONGEST.note));
      else notes.delete(id);
      change(word, { notes: Object.fromEntries(notes) });
    },

    undo() {
      if (!past.length) return;
      words = past.pop();
      keep();
      s.edited();
    },

    /** Take the senses of a word back to the study's; stars and notes stay. */
    forget(word) {
      const { senses, usages, ...rest } = words.get(word) || {};
      const next = new Map(words);
      if (Object.keys(rest).length) next.set(word, rest);
      else next.delete(word);
      replace(next);
    },

    /** Take over what was saved, wholly or not at all. */
    async load(saved) {
      const loaded = parsed(saved);
      for (const [word, { usages = {}, stars = [], notes = {} }] of loaded) {
        const row = s.overview.rows.find((one) => one.word === word);
        if (!row) throw new Error(`this report has no word “${word.slice(0, 60)}”.`);
        const known = new Set((await s.data.word(row.slug)).usages.id);
        const strange = [...Object.keys(usages), ...stars, ...Object.keys(notes)].find((id) => !known.has(id));
        if (strange !== undefined) throw new Error(`the word “${word.slice(0, 60)}” has no usage “${strange.slice(0, 60)}” in this report.`);
      }
      replace(loaded);
      return loaded.size;
    },
  };

  // Another page of the same report: what was done there is seen here.
  addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    recall();
    past.length = 0;
    s.edited();
  });
  recall();
})(window.senseshift);
