"use strict";
/* Words are loaded when they are first needed. */

(function (s) {
  const loading = new Map();

  function load(source) {
    if (!loading.has(source)) {
      loading.set(source, new Promise((resolve, reject) => {
        const failed = () => {
          loading.delete(source);
          reject(new Error(`${source} cannot be read: is the report complete?`));
        };
        document.head.append(s.make("script", { src: source, onload: resolve, onerror: failed }));
      }));
    }
    return loading.get(source);
  }

  s.data = {
    /** The data of a word, by the name of its file. */
    async word(slug) {
      if (!s.received[slug]) await load(`data/${slug}.js`);
      return s.received[slug];
    },
  };
})(window.senseshift);
