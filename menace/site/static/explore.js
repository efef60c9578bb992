// The page Explore: any board with its verdict under perfect play, each learner's box, and exact outcomes from there.
"use strict";
(menace => {
  const { ONGOING, escaped } = menace;
  const at = id => document.getElementById(id);
  if (!at("explore")) return;
  const OPPONENTS = ["random", "optimal"];
  const game = new menace.Game(menace.tables);
  const learners = (menace.machines ?? []).map(learner => {
    const here = learner.learns ? menace.recalled(game, learner) : undefined;
    return { learner, exported: menace.fresh(game, learner), here: here?.games ? here : undefined };
  });
  let path = [game.start];

  const board = () => path.at(-1);
  const keptOf = entry => (at("here").checked && entry.here) || entry.exported;
  const policyOf = entry => menace.playerOf(game.graph, entry.learner, keptOf(entry)).policy();
  const fixed = Object.fromEntries(OPPONENTS.map(name => [name, new menace.Fixed(game.graph, game.players[name]).policy()]));
  const wdl = shares => (game.draws ? shares : [shares[0], shares[2]]).map(share => `<td class="number">${escaped(menace.percent(share))}</td>`).join("");

  function show() {
    const now = board();
    const moves = game.outcomeOf(now) === ONGOING ? game.movesOf(now) : [];
    hands.show(game.shown(now), moves, `Board ${game.texts[now]}`);
    at("status").textContent = words(now);
    at("moves").innerHTML = moves.length ? movesHtml(now) : "";
    at("exact").innerHTML = exactHtml(now);
    at("back").disabled = path.length < 2;
    at("wanted").value = game.texts[now];
  }

  function words(now) {
    const outcome = game.outcomeOf(now);
    if (outcome !== ONGOING) return `${menace.opening("game_over")}: ${outcome === 0 ? menace.phrase("draw") : menace.phrase("has_won", { winner: outcome === 1 ? "X" : "O" })}.`;
    const position = game.home[now];
    const value = { 1: "X wins", 0: "a draw", [-1]: "O wins" }[game.graph.minimax[position]];
    const side = "XO"[game.sideOf(now)];
    return `${side} is to move. Under perfect play: ${value}, ${menace.counted(game.graph.rest[position], "move")} from the end.`;
  }

  function movesHtml(now) {
    const side = game.sideOf(now);
    const mine = learners.filter(entry => entry.learner.side === side);
    const policies = mine.map(policyOf);
    const head = mine.map(entry => `<th scope="col">${escaped(entry.learner.name)}</th>`).join("");
    const body = game.groupsOf(now).map(({ move, all }) => {
      const verdict = game.verdict(move, side);
      const held = mine.map((entry, number) => heldHtml(entry, policies[number], move, game.home[now])).join("");
      return `<tr><th scope="row"><button type="button" data-move="${all[0].next}">${escaped(menace.joined(all.map(look => look.name)))}</button></th>`
        + `<td class="${verdict}">${verdict}</td><td class="number">${game.graph.rest[game.graph.next[move]] + 1}</td>${held}</tr>`;
    });
    return `<table class="list"><thead><tr><th scope="col">move</th><th scope="col">perfect play</th><th scope="col" class="number">moves left</th>${head}</tr></thead>`
      + `<tbody>${body.join("")}</tbody></table>`;
  }

  function heldHtml(entry, policy, move, position) {
    const { learner } = entry;
    const share = policy.share[move];
    const bar = `<span class="share" style="--s:${share.toFixed(3)}">${escaped(menace.percent(share))}</span>`;
    if (learner.rule.boxed[position] !== "1") return `<td class="held">${bar}<small>no box</small></td>`;
    const kept = keptOf(entry);
    const amount = `${menace.amountText(kept.weight[move], learner.unit)} ${learner.unit === "beads" ? (kept.weight[move] === 1 ? "bead" : "beads") : learner.unit}`;
    const count = learner.counted ? `, ${kept.picked[move].toLocaleString("en")} picked` : "";
    return `<td class="held">${bar}<small>${amount}${count}</small></td>`;
  }

  function exactHtml(now) {
    if (!learners.length) return "";
    const position = game.home[now];
    const rows = learners.flatMap(entry => {
      const policy = policyOf(entry);
      const rivals = learners.filter(other => other.learner.side !== entry.learner.side && entry.learner.side === 0);
      const all = [...OPPONENTS.map(name => [name, fixed[name]]), ...rivals.map(other => [other.learner.name, policyOf(other)])];
      return all.map(([name, other]) => `<tr><th scope="row">${escaped(entry.learner.name)} (${entry.learner.plays})</th><td>${escaped(name)}</td>`
        + `${wdl(menace.against(game.graph, policy, other, entry.learner.side)[position])}</tr>`);
    });
    const results = game.draws ? game.results : [game.results[0], game.results[2]];
    const head = results.map(text => `<th scope="col" class="number">${text}</th>`).join("");
    return `<table class="list"><thead><tr><th scope="col">learner</th><th scope="col">against</th>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
  }

  // The address names the board, so that a link leads to it: #board=X...O....
  function go(next) {
    path.push(next);
    arrive();
  }

  function arrive() {
    history.replaceState(null, "", `#board=${encodeURIComponent(game.texts[board()])}`);
    show();
  }

  function follow() {
    const [key, text] = location.hash.slice(1).split(/=(.*)/s);
    if (key !== "board") return;
    const wanted = menace.tried(() => game.meant(decodeURIComponent(text ?? ""))); // a % may be no letter
    if (wanted === undefined) at("status").textContent = `No game reaches the board ${text}.`;
    else if (wanted !== board()) {
      path = [wanted];
      show();
    }
  }

  const hands = new menace.Hands(at("board"), { chosen: look => go(look.next), asks: text => { at("status").textContent = text; } });
  at("moves").addEventListener("click", event => {
    const button = event.target.closest("[data-move]");
    if (button) go(Number(button.dataset.move));
  });
  at("back").addEventListener("click", () => { path.pop(); arrive(); });
  at("first").addEventListener("click", () => { path = [game.start]; arrive(); });
  at("find").addEventListener("submit", event => {
    event.preventDefault();
    const wanted = game.meant(at("wanted").value);
    if (wanted === undefined) at("status").textContent = `No game reaches ${at("wanted").value || "that"}. A board is written as ${game.texts[game.start]} is.`;
    else go(wanted);
  });
  at("here").addEventListener("change", show);
  at("by-here").hidden = !learners.some(entry => entry.here);
  addEventListener("hashchange", follow);
  at("explore").classList.add("shows-worth");
  show();
  follow();
})(globalThis.menace ??= {});
