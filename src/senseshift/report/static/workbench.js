"use strict";
/* The workbench: senses that a person names, merges and fills; stars and notes; all of it to be
   taken back, saved and loaded. What is edited is said to be edited: no figure follows from it here. */

(function (s) {
  const LISTED = 80, INTO = 60; // senses that have a row, and that others can be merged into there
  const NEW = " new", NOISE = " noise"; // no key of a sense begins with a space

  /** After each edit, also one that is taken back: the word that is shown follows. */
  s.edited = function () {
    if (!s.shown) return;
    const { model, state } = s.shown, focused = document.activeElement && document.activeElement.id;
    s.seat(model, s.shown.data);
    const patch = { edited: true };
    for (const [name, options] of [["colour", model.colourings], ["sort", model.sortings], ["order", s.views.transport.orders(model)]]) {
      if (state[name] === "edited") state[name] = patch[name] = model.edited ? "edited" : options[0][0];
    }
    s.word.choices();
    s.change(patch);
    // What was pressed may have been drawn anew.
    if (focused && document.activeElement === document.body) (s.at(focused) || s.at("undo")).focus({ preventScroll: true });
  };

  const places = (model, usages) => usages.map((k) => model.data.at[k]);

  /** Do something, and say that it was done. */
  function done(action, text) {
    action();
    s.say(text);
    s.at("work-says").textContent = s.edits.trouble() || text;
  }

  function name(text) {
    return text.replace(/\s+/g, " ").trim();
  }

  function renamed(input, sense) {
    const { desk } = s.shown.model, given = name(input.value);
    if (given === sense.name) return;
    const refusal = desk.refusal(given, sense.key);
    if (refusal) {
      input.value = sense.name;
      s.at("work-says").textContent = refusal;
      s.say(refusal);
      return;
    }
    done(() => desk.rename(sense.key, given), `Renamed to ${given}.`);
  }

  /** A sense: its name to be edited, its size, and what can be done with it. */
  function row(model, desk, sense, others, number) {
    const here = model.shownOf(sense.usages), counts = here.length;
    const input = s.make("input", {
      type: "text", id: `work-${number}-name`, value: sense.name, maxlength: s.edits.longest.name, dir: "auto", "aria-label": `Name of the sense ${sense.name}`,
      onchange: (event) => renamed(event.target, sense),
    });
    const into = s.make("select", { "aria-label": `Merge ${sense.name} into` },
      s.make("option", { value: "" }, "into …"), ...others.slice(0, INTO).map((other) => s.make("option", { value: other.key }, other.name.slice(0, 60))));
    const merge = s.make("button", {
      type: "button", id: `work-${number}-merge`, "aria-label": `Merge ${sense.name}`,
      onclick: () => into.value && done(() => s.shown.model.desk.merge(sense.key, into.value), `Merged ${sense.name} into ${desk.names.get(into.value)}.`),
    }, "Merge");
    return s.make("li", {}, input,
      s.make("span", { class: "quietly" }, `${s.plural(counts, "usage")}${counts < sense.usages.length ? ` of ${s.count(sense.usages.length)}` : ""}`),
      s.make("button", {
        type: "button", "aria-label": `Select the usages of ${sense.name}`,
        onclick: () => s.select(here, sense.name),
      }, "Select"),
      ...(others.length ? [s.make("span", { class: "group" }, into, merge)] : []));
  }

  function moveTo(choice, usages = s.chosen()) {
    const { model } = s.shown, many = s.plural(usages.length, "usage");
    if (!usages.length) {
      s.at("work-says").textContent = "Select usages first, or choose one.";
      s.say("Select usages first, or choose one.");
      return;
    }
    if (choice === NOISE) done(() => model.desk.move(places(model, usages), null), `${many} marked as noise.`);
    else if (choice === NEW) {
      let number = model.desk.names.size + 1;
      while (model.desk.refusal(`sense ${number}`)) number += 1;
      done(() => model.desk.found(places(model, usages), `sense ${number}`), `${many} moved to the new sense ${number}: name it in the workbench.`);
    } else done(() => model.desk.move(places(model, usages), choice), `${many} moved to ${model.desk.names.get(choice)}.`);
  }

  /** Where usages can be moved to. */
  s.senseOptions = (desk) => [
    ...desk.senses.map(({ key, name: called }) => s.make("option", { value: key }, called.slice(0, 60))),
    s.make("option", { value: NEW }, "a new sense"), s.make("option", { value: NOISE }, "noise: no sense"),
  ];
  s.moveTo = moveTo;

  function star() {
    const { model } = s.shown, usages = s.chosen(), on = usages.some((k) => !model.starred[k]);
    if (!usages.length) return;
    done(() => s.edits.star(model.word, usages.map((k) => model.id[k]), on), `${s.plural(usages.length, "usage")} ${on ? "starred" : "no longer starred"}.`);
  }
  s.star = star;

  async function load(file) {
    if (!file) return;
    let text;
    try {
      const count = await s.edits.load(await file.text());
      text = `Loaded: work on ${s.plural(count, "word")}.`;
    } catch (error) {
      text = `${file.name.slice(0, 60)} was not loaded: ${error.message}`;
    }
    s.at("work-says").textContent = text;
    s.say(text);
  }

  s.views.workbench = {
    start() {
      s.at("undo").addEventListener("click", () => done(() => s.edits.undo(), "Taken back."));
      s.at("forget").addEventListener("click", () => done(() => s.edits.forget(s.shown.model.word), "The senses are the study's again."));
      s.at("work-save").addEventListener("click", () => s.saveFile("senses", "json", s.edits.text(), "application/json"));
      s.at("work-load").addEventListener("click", () => s.at("work-file").click());
      s.at("work-file").addEventListener("change", (event) => {
        load(event.target.files[0]).then(() => { event.target.value = ""; });
      });
      s.at("move").addEventListener("click", () => moveTo(s.at("move-to").value));
      s.at("star").addEventListener("click", star);
    },

    update(model, state, changed) {
      const { desk } = model, some = s.chosen().length > 0;
      s.at("moving").hidden = !some;
      if (some) s.at("star").setAttribute("aria-pressed", String(s.chosen().every((k) => model.starred[k])));
      if (!changed.has("word") && !changed.has("edited")) return;
      if (changed.has("word") || s.edits.trouble()) s.at("work-says").textContent = s.edits.trouble();
      const senses = desk.senses, chosen = s.at("move-to").value, noise = desk.keys.filter((key) => key === null).length;
      s.at("move-to").replaceChildren(...s.senseOptions(desk));
      if (senses.some(({ key }) => key === chosen)) s.at("move-to").value = chosen;
      s.at("work-senses").replaceChildren(...senses.slice(0, LISTED).map((sense, k) => row(model, desk, sense, senses.filter((other) => other !== sense), k)));
      const more = senses.length > LISTED ? ` ${s.plural(senses.length - LISTED, "smaller sense")} more: select their usages to move them.` : "";
      s.at("work-noise").textContent = senses.length ? `${s.plural(noise, "usage")} without a sense.${more}` : "This word has no senses yet: select usages and move them to a new one.";
      for (const id of ["edited-note", "work-edited"]) s.at(id).hidden = !desk.edited;
      s.at("undo").disabled = s.edits.steps() === 0;
      s.at("forget").disabled = !desk.edited;
      const stars = s.edits.words().reduce((sum, word) => sum + (s.edits.of(word).stars || []).length, 0);
      s.at("work-save").disabled = !s.edits.words().length;
      s.at("stars").textContent = stars ? `${s.plural(stars, "usage")} starred.` : "Star usages to cite them.";
      for (const button of document.querySelectorAll("[data-cite]")) button.disabled = !stars;
    },
  };
})(window.senseshift);
