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
      strange("unknown", asked.word, ". These are its words:");
      return;
    }
    if (asked.list !== undefined) s.overview.restore(Object.fromEntries(new URLSearchParams(asked.list)));
    s.at("all-words").href = `#${s.overview.list()}`;
    const already = s.received[row.slug];
    s.at("waiting").hidden = Boolean(already);
    s.at("waiting").textContent = "Loading …";
    try {
      const data = await s.data.word(row.slug), other = s.overview.rows.find((one) => one.word === asked.with);
      const beside = other && other !== row ? await s.data.word(other.slug) : null;
      const now = s.fragment.read();
      if (now.word !== row.word || now.with !== asked.with) return; // another was asked for meanwhile
      s.at("waiting").hidden = true;
      if (beside) {
        s.word.leave();
        turn("compare");
        s.compare.show(data, beside, asked);
      } else {
        s.compare.leave();
        turn("word");
        s.word.show(data, asked);
        s.compare.options(row.word);
        strange("with-note", asked.with, " to compare with.");
      }
      scrollTo(0, 0);
      s.at(beside ? "compare-name" : "word-name").focus({ preventScroll: true });
    } catch (error) {
      s.at("waiting").textContent = error.message;
      s.at("waiting").hidden = false;
    }
  }

  /** A word that the address asks for and the report has not. */
  function strange(id, word, end) {
    s.at(id).hidden = word === undefined;
    s.at(id).replaceChildren("This report has no word ", s.make("bdi", {}, `“${(word || "").slice(0, 80)}”`), end);
    if (word !== undefined) s.say(s.at(id).textContent);
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
    s.compare.redraw();
  });
  for (const [event, printing] of [["beforeprint", true], ["afterprint", false]]) {
    addEventListener(event, () => {
      s.theme.print(printing);
      s.printPictures(printing);
      s.overview.redraw();
      s.word.redraw();
      s.compare.redraw();
    });
  }
  s.overview.start();
  s.word.start();
  s.compare.start();
  addEventListener("hashchange", route);
  route();
})(window.senseshift);
