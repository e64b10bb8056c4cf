"use strict";
/* The senses of one word as they are now: the study's, or a person's in place of them. */

(function (s) {
  const LONGEST_NEW = 9999;

  s.Desk = class {
    constructor(data) {
      const { word, told: by, pairs, usages } = data, mine = s.edits.of(word);
      const names = new Map(pairs.flatMap(({ senses }) => senses.map(({ sense, name }) => [sense, name])));
      this.word = word;
      this.ids = usages.id;
      this.edited = Boolean(mine.usages);
      const column = by && usages[by], taken = new Set();
      const key = (k) => (!column || column.codes[k] < 0 ? null : column.values[column.codes[k]]);
      // Two senses that are told by the same words have one name in the study, and two here.
      const told = new Map([...names].map(([sense, name]) => {
        const own = taken.has(name) ? `${name} (${sense})` : name;
        taken.add(own);
        return [sense, own];
      }));
      if (column) for (const sense of column.values) if (!told.has(sense)) told.set(sense, sense);
      this.original = new Map(told);
      this.names = this.edited ? new Map(Object.entries(mine.senses)) : told;
      this.keys = this.ids.map((id, k) => (this.edited && Object.hasOwn(mine.usages, id) ? mine.usages[id] : key(k)));
      this.keys = this.keys.map((one) => (one !== null && this.names.has(one) ? one : null));
    }

    /** The name of each usage's sense; null for noise. */
    get labels() {
      return this.keys.map((key) => (key === null ? null : this.names.get(key)));
    }

    /** Every sense with the places of its usages, the largest first. */
    get senses() {
      const members = new Map([...this.names.keys()].map((key) => [key, []]));
      this.keys.forEach((key, k) => key !== null && members.get(key).push(k));
      return [...members].map(([key, usages]) => ({ key, name: this.names.get(key), usages }))
        .sort((a, b) => b.usages.length - a.usages.length || s.natural(a.name, b.name));
    }

    /** Why a name cannot be given; nothing where it can. */
    refusal(name, key = null) {
      if (!name) return "A sense needs a name.";
      if (name === "-1") return "−1 stands for no sense.";
      if (name.length > s.edits.longest.name) return `A name has at most ${s.edits.longest.name} characters.`;
      const other = [...this.names].find(([one, called]) => called === name && one !== key);
      return other ? `A sense is called “${name}” already: merge them instead.` : "";
    }

    save(names, keys) {
      const used = new Set(keys.filter((key) => key !== null));
      const senses = [...names].filter(([key]) => used.has(key));
      s.edits.senses(this.word, Object.fromEntries(senses), Object.fromEntries(this.ids.map((id, k) => [id, keys[k]])));
    }

    rename(key, name) {
      this.save(new Map(this.names).set(key, name), this.keys);
    }

    merge(key, into) {
      this.save(this.names, this.keys.map((one) => (one === key ? into : one)));
    }

    /** Put usages into a sense, or with null into none. */
    move(usages, key) {
      const keys = [...this.keys];
      for (const k of usages) keys[k] = key;
      this.save(this.names, keys);
    }

    /** Put usages into a sense of their own. */
    found(usages, name) {
      let number = 1;
      while (number < LONGEST_NEW && (this.names.has(`new-${number}`) || this.original.has(`new-${number}`))) number += 1;
      const keys = [...this.keys];
      for (const k of usages) keys[k] = `new-${number}`;
      this.save(new Map(this.names).set(`new-${number}`, name), keys);
    }
  };

  /** Let a model have the senses of its desk, as a column of its own where a person made them. */
  s.seat = function (model, data) {
    const desk = new s.Desk(data), at = model.data.at;
    model.desk = desk;
    model.labels = model.labels.filter(([name]) => name !== "edited");
    model.orders.delete("edited");
    model.edited = null;
    if (desk.edited) {
      const labels = desk.labels;
      model.edited = at.map((k) => labels[k]);
      model.labels = [...model.labels, ["edited", "your senses"]];
    }
    const { stars = [], notes = {} } = s.edits.of(model.word);
    const starred = new Set(stars);
    model.starred = model.id.map((id) => starred.has(id));
    model.notes = model.id.map((id) => (Object.hasOwn(notes, id) ? notes[id] : ""));
  };
})(window.senseshift);
