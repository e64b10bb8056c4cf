"use strict";
/* The address decides what is shown: the overview, or a word. */

(function (s) {
  const title = document.title;

  async function route() {
    const asked = s.fragment.read();
    const row = s.overview.rows.find((one) => one.word === asked.word);
    s.tip.hide();
    if (!row) {
      s.word.leave();
      s.compare.leave();
      turn("overview");
      document.title = title;
      s.overview.restore(asked);
      unknown(asked.word);
      return;
    }
    if (asked.list !== undefined) s.overview.restore(Object.fromEntries(new URLSearchParams(asked.list)));
    s.at("all-words").href = `#${s.overview.list()}`;
    const already = s.received[row.slug];
    s.at("waiting").hidden = Boolean(already);
    s.at("waiting").textContent = "Loading …";
    try {
      const data = await s.data.word(row.slug);
      if (s.fragment.read().word !== row.word) return; // another was asked for meanwhile
      turn("word");
      s.word.show(data, asked);
      s.at("waiting").hidden = true;
      scrollTo(0, 0);
      s.at("word-name").focus({ preventScroll: true });
    } catch (error) {
      s.at("waiting").textContent = error.message;
      s.at("waiting").hidden = false;
    }
  }

  /** A word that the address asks for and the report has not. */
  function unknown(word) {
    s.at("unknown").hidden = word === undefined;
    s.at("unknown").replaceChildren("This report has no word ", s.make("bdi", {}, `“${(word || "").slice(0, 80)}”`), ". These are its words:");
    if (word !== undefined) s.say(s.at("unknown").textContent);
  }

  function turn(page) {
    for (const id of ["overview", "word", "compare"]) s.at(id).hidden = id !== page;
  }

  s.at("skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address is not for this
    s.at("content").focus();
  });
  s.theme.listen(() => {
    s.overview.draw();
    s.word.recolour();
  });
  for (const [event, printing] of [["beforeprint", true], ["afterprint", false]]) {
    addEventListener(event, () => {
      s.theme.print(printing);
      s.printPictures(printing);
      s.overview.redraw();
      s.word.redraw();
    });
  }
  s.overview.start();
  s.word.start();
  addEventListener("hashchange", route);
  route();
})(window.senseshift);
