// Show the Explore page: for any board, its result under perfect play, each learner's box, and the exact probabilities of the results.
"use strict";
(menace => {
  const { ONGOING, OUTCOMES, escaped, opening, percent, phrase } = menace;
  const at = id => document.getElementById(id);
  const game = new menace.Game(menace.tables);
  const fixed = ["random", "optimal"].map(name => ({ name, policy: menace.fixedOf(game.graph, game.players[name]).policy() }));
  const learned = menace.machines.map(learner => menace.storedMemory(game, learner)).map(memory => memory?.games && memory);
  let path = [game.start];

  const said = (clause, parts) => escaped(phrase(clause, parts));
  const missing = text => opening("no_game_reaches", { board: text });
  const board = () => path.at(-1);

  /** Return the machines, each with its policy and its memory. The memory comes from this browser or from the export. */
  const machines = () => menace.machines.map((learner, number) => {
    const memory = (at("here").checked && learned[number]) || menace.fresh(game, learner);
    return { ...learner, memory, policy: menace.playerOf(game.graph, learner, memory).policy() };
  });

  function show() {
    const now = board();
    const [moves, all] = [game.movesOf(now), machines()];
    boardInput.show(game.played(now), moves, opening("board_named", { board: game.texts[now] }));
    at("status").textContent = words(now);
    at("moves").innerHTML = moves.length ? movesHtml(now, all.filter(machine => machine.side === game.sideOf(now))) : "";
    at("exact").innerHTML = exactHtml(game.home[now], all);
    at("back").disabled = path.length < 2;
    at("wanted").value = game.texts[now];
  }

  function words(now) {
    const outcome = game.outcomeOf(now);
    const ended = (result, clause, parts) => phrase(result ? clause : "draw", parts);
    if (outcome !== ONGOING) return `${opening("game_over")}: ${ended(outcome, "has_won", { winner: OUTCOMES[outcome] })}.`;
    const { minimax, rest } = game.graph;
    const position = game.home[now];
    const value = ended(minimax[position], "side_wins", { side: OUTCOMES[minimax[position]] });
    return `${opening("to_move", { side: "XO"[game.sideOf(now)], value, moves: menace.counted(rest[position], "move") })}.`;
  }

  const column = (name, kind = "") => `<th scope="col"${kind}>${escaped(name)}</th>`;

  function movesHtml(now, mine) {
    const rows = game.groupsOf(now).map(({ move, all }) => {
      const [{ next, verdict, ends_in }] = all;
      const names = menace.joined(all.map(look => look.name));
      return `<tr><th scope="row"><button type="button" data-move="${next}">${escaped(names)}</button></th>`
        + `<td class="${verdict}">${said(`verdict_${verdict}`)}</td><td class="number">${ends_in}</td>${mine.map(machine => heldHtml(machine, move, game.home[now])).join("")}</tr>`;
    });
    const head = [column(phrase("kind_move")), column(phrase("perfect_play")), column(phrase("moves_left"), ' class="number"')];
    const columns = [...head, ...mine.map(({ name }) => column(name))];
    return `<table class="list"><thead><tr>${columns.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
  }

  /** Return the probability that a machine makes a move, and the move's amount in the machine's box. */
  function heldHtml({ memory, policy, rule, unit, counted }, move, position) {
    const share = policy.share[move];
    const amount = unit === "beads" ? menace.counted(memory.weight[move], "bead")
      : `${menace.amountText(memory.weight[move], unit)} ${said(`unit_${unit}`)}`;
    const count = counted ? `, ${said("picked", { count: menace.thousands(memory.picked[move]) })}` : "";
    return `<td class="held"><span class="share" style="--s:${share.toFixed(3)}">${escaped(percent(share))}</span>`
      + `<small>${rule.boxed[position] === "1" ? amount + count : said("no_box_here")}</small></td>`;
  }

  function exactHtml(position, all) {
    const rivals = [fixed.concat(all.filter(({ side }) => side === 1)), fixed]; // the opponents of X and of O
    const rows = all.flatMap(({ name, plays, side, policy }) => rivals[side].map(rival => {
      const [wins, draws, losses] = menace.against(game.graph, policy, rival.policy, side)[position];
      const shares = game.draws ? [wins, draws, losses] : [wins, losses];
      return `<tr><th scope="row">${escaped(name)} (${plays})</th><td>${escaped(rival.name)}</td>`
        + `${shares.map(share => `<td class="number">${escaped(percent(share))}</td>`).join("")}</tr>`;
    }));
    return rows.join("");
  }

  // The URL contains the board, so that a link can open it: #board=X...O....
  function arrive(boards) {
    path = boards;
    history.replaceState(null, "", `#board=${encodeURIComponent(game.texts[board()])}`);
    show();
  }

  function follow() {
    const [key, text] = location.hash.slice(1).split(/=(.*)/s);
    if (key !== "board") return;
    const wanted = menace.tried(() => game.meant(decodeURIComponent(text ?? ""))); // the text may contain an invalid % sequence
    if (wanted === undefined) at("status").textContent = `${missing(text)}.`;
    else if (wanted !== board()) {
      path = [wanted];
      show();
    }
  }

  const go = next => arrive([...path, next]);
  const boardInput = new menace.BoardInput(at("board"), { onMove: look => go(look.next), onMessage: text => { at("status").textContent = text; } });
  at("moves").addEventListener("click", event => {
    const button = event.target.closest("[data-move]");
    if (button) go(Number(button.dataset.move));
  });
  at("back").addEventListener("click", () => arrive(path.slice(0, -1)));
  at("first").addEventListener("click", () => arrive([game.start]));
  at("find").addEventListener("submit", event => {
    event.preventDefault();
    const wanted = game.meant(at("wanted").value);
    if (wanted === undefined) at("status").textContent = `${opening("write_board", { missing: missing(at("wanted").value), first: game.texts[game.start] })}.`;
    else go(wanted);
  });
  at("here").addEventListener("change", show);
  at("by-here").hidden = !learned.some(Boolean);
  addEventListener("hashchange", follow);
  at("explore").classList.add("shows-worth");
  show();
  follow();
})(globalThis.menace ??= {});
