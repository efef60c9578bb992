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

  const said = (clause, parts) => escaped(menace.phrase(clause, parts));
  const missing = text => menace.opening("no_game_reaches", { board: text });
  const board = () => path.at(-1);
  const keptOf = entry => (at("here").checked && entry.here) || entry.exported;
  const policyOf = entry => menace.playerOf(game.graph, entry.learner, keptOf(entry)).policy();
  const fixed = Object.fromEntries(OPPONENTS.map(name => [name, new menace.Fixed(game.graph, game.players[name]).policy()]));
  const wdl = shares => (game.draws ? shares : [shares[0], shares[2]]).map(share => `<td class="number">${escaped(menace.percent(share))}</td>`).join("");

  function show() {
    const now = board();
    const moves = game.outcomeOf(now) === ONGOING ? game.movesOf(now) : [];
    hands.show(game.shown(now), moves, menace.opening("board_named", { board: game.texts[now] }));
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
    const winner = { 1: "X", [-1]: "O" }[game.graph.minimax[position]];
    const value = winner ? menace.phrase("side_wins", { side: winner }) : menace.phrase("draw");
    return `${menace.opening("to_move", { side: "XO"[game.sideOf(now)], value, moves: menace.counted(game.graph.rest[position], "move") })}.`;
  }

  function movesHtml(now) {
    const side = game.sideOf(now);
    const mine = learners.filter(entry => entry.learner.side === side);
    const policies = mine.map(policyOf);
    const head = mine.map(entry => `<th scope="col">${escaped(entry.learner.name)}</th>`).join("");
    const body = game.groupsOf(now).map(({ move, first, all }) => {
      const verdict = game.verdict(move, side);
      const held = mine.map((entry, number) => heldHtml(entry, policies[number], move, game.home[now])).join("");
      return `<tr><th scope="row"><button type="button" data-move="${first.next}">${escaped(menace.joined(all.map(look => look.name)))}</button></th>`
        + `<td class="${verdict}">${said(`verdict_${verdict}`)}</td><td class="number">${game.graph.rest[game.graph.next[move]] + 1}</td>${held}</tr>`;
    });
    return `<table class="list"><thead><tr><th scope="col">${said("kind_move")}</th><th scope="col">${said("perfect_play")}</th><th scope="col" class="number">${said("moves_left")}</th>${head}</tr></thead>`
      + `<tbody>${body.join("")}</tbody></table>`;
  }

  function heldHtml(entry, policy, move, position) {
    const { learner } = entry;
    const share = policy.share[move];
    const bar = `<span class="share" style="--s:${share.toFixed(3)}">${escaped(menace.percent(share))}</span>`;
    if (learner.rule.boxed[position] !== "1") return `<td class="held">${bar}<small>${said("no_box_here")}</small></td>`;
    const kept = keptOf(entry);
    const amount = learner.unit === "beads" ? menace.counted(kept.weight[move], "bead") : `${menace.amountText(kept.weight[move], learner.unit)} ${said(`unit_${learner.unit}`)}`;
    const count = learner.counted ? `, ${said("picked", { count: menace.thousands(kept.picked[move]) })}` : "";
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
    const results = ["wins", ...(game.draws ? ["draws"] : []), "losses"];
    const head = results.map(text => `<th scope="col" class="number">${said(text)}</th>`).join("");
    return `<table class="list"><thead><tr><th scope="col">${said("machine")}</th><th scope="col">${said("against")}</th>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
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
    let wanted;
    try {
      wanted = game.meant(decodeURIComponent(text ?? ""));
    } catch { /* a % that is no letter */ }
    if (wanted === undefined) at("status").textContent = `${missing(text)}.`;
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
    if (wanted === undefined) at("status").textContent = `${menace.opening("write_board", { missing: missing(at("wanted").value), first: game.texts[game.start] })}.`;
    else go(wanted);
  });
  at("here").addEventListener("change", show);
  at("by-here").hidden = !learners.some(entry => entry.here);
  addEventListener("hashchange", follow);
  at("explore").classList.add("shows-worth");
  show();
  follow();
})(globalThis.menace ??= {});
