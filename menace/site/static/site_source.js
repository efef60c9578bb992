// Provide the data of a site's Play page: sessions with a learner in this browser, and the learner's training. The responses have the same form as
// those of the explorer's server. In addition, a site can save and load the machine's memory as a file or a link.
"use strict";
(menace => {
  const { here, opening, siteSession, siteTraining } = menace;
  const { game, learner, name } = here;
  const at = id => document.getElementById(id);
  const { explore } = at("source").dataset;
  const say = text => { at("status").textContent = text; };
  const games = () => menace.counted(here.memory.games, "game");

  /** Continue with another memory for the machine. */
  async function become(memory) {
    siteTraining.close("abandoned");
    here.memory = memory;
    here.save();
    siteTraining.tell();
    await menace.begin();
  }

  async function load({ target }) {
    const [file] = target.files;
    if (!file) return;
    try {
      await become(await menace.readFile(file, game, learner));
      say(`${opening("learned_more", { name, games: games() })}. ${siteSession.said()}`);
    } catch (error) {
      say(error.message);
    }
    target.value = "";
  }

  async function makeLink() {
    const link = menace.linkOf(learner, here.memory);
    if (!link) return say(`${opening("link_too_long", { name })}.`);
    history.replaceState(null, "", `#m=${link}`);
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    say(`${opening("link_copied", { name })}.`);
  }

  async function forget() {
    if (!confirm(opening("forget", { name, games: games() }))) return;
    await become(menace.fresh(game, learner));
    menace.forget(learner);
  }

  if (learner.learns) {
    here.showKept();
    at("download").addEventListener("click", () => menace.download(learner, here.memory));
    at("load").addEventListener("change", load);
    at("make-link").addEventListener("click", makeLink);
    at("forget").addEventListener("click", forget);
  }
  for (const part of new URLSearchParams(location.search).get("hide")?.split(",") ?? []) {
    document.querySelectorAll(`[data-part="${CSS.escape(part)}"]`).forEach(hidden => (part === "training" ? hidden.remove() : hidden.toggleAttribute("hidden", true)));
    document.querySelectorAll(`[name=hide][value="${CSS.escape(part)}"]`).forEach(box => { box.checked = true; });
  }

  const exploring = boards => `${explore}#board=${encodeURIComponent(boards.at(-1))}`;
  menace.source = { ...siteSession, ...siteTraining, exploring, teach: location.pathname };
})(globalThis.menace ??= {});
