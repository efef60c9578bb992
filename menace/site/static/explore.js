// The page Explore: any board with its verdict under perfect play, each learner's box, and exact outcomes from there.
"use strict";
(menace => {
  const { ONGOING, escaped, opening, percent, phrase } = menace;
  const at = id => document.getElementById(id);
  const game = new menace.Game(menace.tables);
  const fixed = ["random", "optimal"].map(name => ({ name, policy: new menace.Fixed(game.graph, game.players[name]).policy() }));
  const learned = menace.machines.map(learner => menace.recalled(game, learner)).map(kept => kept?.games && kept);
  let path = [game.start];

  const board = () => path.at(-1);

  /** Return the machines, each with its memory, as it is here or as it was exported, and its policy. */
  const machines = () => menace.machines.map((learner, number) => {
    const kept = (at("here").checked && learned[number]) || menace.fresh(game, learner);
    return { ...learner, kept, policy: menace.playerOf(game.graph, learner, kept).policy() };
  });

  function show() {
    const now = board();
    const [moves, all] = [game.movesOf(now), machines()];
    hands.show(game.shown(now), moves, `Board ${game.texts[now]}`);
    at("status").textContent = words(now);
    at("moves").innerHTML = moves.length ? movesHtml(now, all.filter(machine => machine.side === game.sideOf(now))) : "";
    at("exact").innerHTML = exactHtml(game.home[now], all);
    at("back").disabled = path.length < 2;
    at("wanted").value = game.texts[now];
  }

  function words(now) {
    const outcome = game.outcomeOf(now);
    if (outcome === 0) return `${opening("game_over")}: ${phrase("draw")}.`;
    if (outcome !== ONGOING) return `${opening("game_over")}: ${phrase("has_won", { winner: outcome === 1 ? "X" : "O" })}.`;
    const position = game.home[now];
    const value = { 1: "X wins", 0: "a draw", [-1]: "O wins" }[game.graph.minimax[position]];
    const distance = menace.counted(game.graph.rest[position], "move");
    return `${"XO"[game.sideOf(now)]} is to move. Under perfect play: ${value}, ${distance} from the end.`;
  }

  const column = (name, kind = "") => `<th scope="col"${kind}>${escaped(name)}</th>`;
  const number = ' class="number"';
  const list = (columns, rows) => `<table class="list"><thead><tr>${columns.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;

  function movesHtml(now, mine) {
    const rows = game.groupsOf(now).map(({ move, all }) => {
      const [{ next, verdict, ends_in }] = all;
      const names = menace.joined(all.map(look => look.name));
      return `<tr><th scope="row"><button type="button" data-move="${next}">${escaped(names)}</button></th>`
        + `<td class="${verdict}">${verdict}</td><td class="number">${ends_in}</td>${mine.map(machine => heldHtml(machine, move, game.home[now])).join("")}</tr>`;
    });
    return list([column("move"), column("perfect play"), column("moves left", number), ...mine.map(({ name }) => column(name))], rows);
  }

  /** Return a machine's probability of a move, and what its box has for it. */
  function heldHtml({ kept, policy, rule, unit, counted }, move, position) {
    const share = policy.share[move];
    const amount = `${menace.amountText(kept.weight[move], unit)} ${unit === "beads" && kept.weight[move] === 1 ? "bead" : unit}`;
    const count = counted ? `, ${menace.thousands(kept.picked[move])} picked` : "";
    return `<td class="held"><span class="share" style="--s:${share.toFixed(3)}">${escaped(percent(share))}</span>`
      + `<small>${rule.boxed[position] === "1" ? amount + count : "no box"}</small></td>`;
  }

  function exactHtml(position, all) {
    const ends = items => (game.draws ? items : [items[0], items[2]]);
    const rivals = [fixed.concat(all.filter(({ side }) => side === 1)), fixed]; // of each side
    const rows = all.flatMap(({ name, plays, side, policy }) => rivals[side].map(rival => {
      const shares = ends(menace.against(game.graph, policy, rival.policy, side)[position]);
      return `<tr><th scope="row">${escaped(name)} (${plays})</th><td>${escaped(rival.name)}</td>`
        + `${shares.map(share => `<td class="number">${escaped(percent(share))}</td>`).join("")}</tr>`;
    }));
    return list([column("learner"), column("against"), ...ends(game.results).map(text => column(text, number))], rows);
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
  at("by-here").hidden = !learned.some(Boolean);
  addEventListener("hashchange", follow);
  at("explore").classList.add("shows-worth");
  show();
  follow();
})(globalThis.menace ??= {});
