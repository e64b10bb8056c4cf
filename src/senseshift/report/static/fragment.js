"use strict";
/* The fragment of the address says what is shown: a copied link brings another reader to the same
   word, colours, order and selection. */

(function (s) {
  const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  s.fragment = {
    /** What the address asks for. */
    read() {
      return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    },

    /** The fragment for what is shown; what is as usual is left out. */
    text(parts) {
      const kept = Object.entries(parts).filter(([, value]) => value !== null && value !== undefined && value !== "");
      return `#${new URLSearchParams(kept)}`;
    },

    /** Put it into the address without a new entry in the history. */
    write(parts) {
      history.replaceState(null, "", this.text(parts));
    },

    /** A selection as letters, six usages each. */
    pack(mask) {
      let text = "";
      for (let at = 0; at < mask.length; at += 6) {
        let bits = 0;
        for (let k = 0; k < 6; k++) bits |= (mask[at + k] ? 1 : 0) << k;
        text += ALPHABET[bits];
      }
      return text;
    },

    /** The selection that letters stand for; null where they fit no word of so many usages. */
    unpack(text, length) {
      if (text.length !== Math.ceil(length / 6)) return null;
      const mask = new Uint8Array(length);
      for (let k = 0; k < length; k++) {
        const bits = ALPHABET.indexOf(text[Math.floor(k / 6)]);
        if (bits < 0) return null;
        mask[k] = (bits >> (k % 6)) & 1;
      }
      return mask;
    },
  };
})(window.senseshift);
