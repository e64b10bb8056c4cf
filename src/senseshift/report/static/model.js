"use strict";
/* One word in two periods: its usages, what is selected and found, and in which order they stand.
   Usages are numbered from 0, the old ones first; a selection has a 1 for each usage in it. */

(function (s) {
  const decode = (column) => column && column.codes.map((code) => (code < 0 ? null : column.values[code]));

  s.Model = class {
    constructor(data, pair) {
      const chosen = data.pairs[pair], usages = data.usages;
      const pick = (column) => column && chosen.at.map((k) => column[k]);
      this.word = data.word;
      this.data = chosen;
      this.map = data.map;
      this.periods = data.periods;
      this.told = data.told; // the column that has the senses
      this.senses = chosen.senses;
      this.beyond = s.mask.of(chosen.at.length, chosen.beyond);
      this.pairs = data.pairs;
      this.near = data.near || null;
      this.size = chosen.at.length;
      this.total = usages.id.length;
      this.olds = chosen.olds;
      this.scores = s.received.index.scores.filter(({ name }) => chosen.scores[name]);
      for (const { name } of this.scores) this[name] = chosen.scores[name];
      this.labels = s.received.index.labels.filter(([name]) => usages[name] || chosen.labels[name]);
      for (const [name] of this.labels) this[name] = pick(decode(usages[name])) || chosen.labels[name];
      this.source = pick(decode(usages.source)) || null;
      this.more = Object.entries(usages.more).map(([name, column]) => [name, pick(decode(column))]);
      for (const name of ["id", "text", "start", "end", "date", "x", "y", "along"]) {
        this[name] = pick(usages[name]) || null;
      }
      this.orders = new Map();
    }

    isNew(k) {
      return k >= this.olds;
    }

    period(k) {
      return this.isNew(k) ? this.data.new : this.data.old;
    }

    target(k) {
      return this.text[k].slice(this.start[k], this.end[k]);
    }

    /** A label as people read it: senses have names. */
    nameOf(column, label) {
      const sense = column === this.told && this.senses.find((one) => one.sense === label);
      return sense ? sense.name : String(label);
    }

    /** The score that usages are coloured and sorted by if nothing else is asked for. */
    get usual() {
      return this.score("excess") ? "excess" : "sus";
    }

    /** What usages can be coloured by. */
    get colourings() {
      return [
        ...this.scores.map(({ name, label }) => [name, label]), ...this.labels,
      ];
    }

    /** A score by its name, with how it is shown; nothing for a label. */
    score(name) {
      return this.scores.find((score) => score.name === name);
    }

    /** What the concordance can be sorted by. */
    get sortings() {
      return [
        ...this.scores.map(({ name, label }) => [name, label]), ["period", "period"],
        ...["date", "source"].filter((name) => this[name]).map((name) => [name, name]), ...this.labels,
        ["before", "words before"], ["after", "words after"],
      ];
    }

    /** All usages in the order of a column, lowest first; made once. */
    order(by) {
      if (!this.orders.has(by)) {
        const keys = this.keys(by);
        const less = (a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b);
        this.orders.set(by, Int32Array.from(this.sus.keys()).sort(less));
      }
      return this.orders.get(by);
    }

    keys(by) {
      if (this.score(by)) return this[by].map((value) => (value === null ? -Infinity : value));
      if (by === "period") return this.sus.map((_, k) => (this.isNew(k) ? 1 : 0));
      if (by === "before") {
        return this.text.map((text, k) => text.slice(Math.max(0, this.start[k] - 60), this.start[k])
          .toLowerCase().split(/[^\p{L}\p{N}\p{M}]+/u).reverse().join(" ").trim());
      }
      if (by === "after") {
        return this.text.map((text, k) => text.slice(this.end[k], this.end[k] + 60)
          .toLowerCase().replace(/[^\p{L}\p{N}\p{M}]+/gu, " ").trim());
      }
      const labels = [...new Set(this[by].filter((label) => label !== null))].sort(s.natural);
      const rank = new Map(labels.map((label, k) => [label, k]));
      return this[by].map((label) => (label === null ? labels.length : rank.get(label)));
    }

    /** The usages nearest to one, with their cosine distances; null where they are not known. */
    nearest(k) {
      if (!this.near) return null;
      const { at, away } = this.near, here = this.data.at[k], each = at.length / this.total;
      return at.slice(here * each, (here + 1) * each)
        .map((one, n) => ({ usage: this.place(one), away: away[here * each + n] / 1000 }))
        .filter(({ usage }) => usage !== undefined);
    }

    /** The number here of one of all the word's usages; none where its period is not shown. */
    place(usage) {
      this.places = this.places || new Map(this.data.at.map((one, k) => [one, k]));
      return this.places.get(usage);
    }

    shownOf(usages) {
      return usages.map((one) => this.place(one)).filter((k) => k !== undefined);
    }

    /** The partners of a usage in the other period, those it exchanges most with first. */
    partners(k, plan) {
      const arcs = this.data.plans[plan];
      if (!arcs) return [];
      const here = this.isNew(k) ? arcs.to : arcs.from, there = this.isNew(k) ? arcs.from : arcs.to;
      const at = this.isNew(k) ? k - this.olds : k, shift = this.isNew(k) ? 0 : this.olds;
      const shares = arcs.shares[this.isNew(k) ? 1 : 0];
      const found = [];
      here.forEach((place, arc) => {
        if (place === at) found.push({ usage: there[arc] + shift, share: shares[arc] });
      });
      return found.sort((a, b) => b.share - a.share);
    }
  };

  s.mask = {
    of(size, members) {
      const mask = new Uint8Array(size);
      for (const k of members) mask[k] = 1;
      return mask;
    },
    count: (mask) => mask.reduce((sum, one) => sum + one, 0),
    both(one, other) {
      if (!one || !other) return one || other;
      return one.map((bit, k) => bit & other[k]);
    },
    members(mask, size) {
      const all = [...Array(size).keys()];
      return mask ? all.filter((k) => mask[k]) : all;
    },
  };
})(window.senseshift);
