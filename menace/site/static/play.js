// The page to play: a board, the machine's box beside it, and what is kept of it in this browser.
"use strict";
(menace => {
  const { ONGOING, counted, escaped } = menace;
  const at = id => document.getElementById(id);
  const place = at("play");
  if (!place) return;
  const DOTS_MOST = 24; // beads that are drawn one by one
  const SCORE = { 1: 3, 0: 1, [-1]: -1 }; // as Michie counted: D. Michie, Trial and error (1961)

  const game = new menace.Game(menace.tables);
  const learner = menace.machines.find(one => one.print === place.dataset.print);
  const name = learner.name;
  let kept = (learner.learns && menace.recalled(game, learner)) || menace.fresh(game, learner);
  let keeps = true; // whether this browser does
  let under = null; // the game under way
  let changes = null; // of the game, once it is over
  let busy = false; // while it trains
  const score = { you: 0, machine: 0, drawn: 0 };

  const say = text => { at("status").textContent = text; };

  // What is shown.

  function draw() {
    const over = under.outcome !== ONGOING;
    const { board } = under;
    hands.show(game, board, under.personsTurn ? game.movesOf(board) : [], "The board");
    showWorth();
    list();
    at("box").innerHTML = boxHtml();
    at("moves").innerHTML = under.plies.map(ply => `<li>${escaped(ply.byMachine ? name : "you")}: ${escaped(menace.nameOf(game, learner, ply.one))}</li>`).join("");
    at("undo").disabled = over || !under.canUndo;
    at("resign").disabled = over || !under.plies.length;
    at("learned").hidden = !changes?.length;
    at("changes").innerHTML = (changes ?? []).map(changedHtml).join("");
    const drawn = game.draws ? `, ${counted(score.drawn, "draw")}` : "";
    at("score").textContent = `you ${score.you}, ${name} ${score.machine}${drawn}`;
    if (kept.score.length > 1) {
      at("figure").innerHTML = menace.curve(kept.score.map((one, games) => [games, one]), {
        low: Math.min(0, ...kept.score), high: Math.max(1, ...kept.score), signed: false,
        label: `Score of ${name}, game by game, up to ${kept.score.at(-1)}; 3 for a win, ${game.draws ? "1 for a draw, " : ""}-1 for a loss`,
      });
    } else at("figure").replaceChildren();
    say(words());
    keeping();
  }

  function words() {
    const last = under.plies.at(-1);
    const moved = last?.byMachine ? `${last.restocked ? "Its box was empty, and its first beads have been put back. " : ""}`
      + `${name} ${last.explored ? "explores, and " : ""}plays ${menace.nameOf(game, learner, last.one)}. ` : "";
    if (under.outcome === ONGOING) return `${moved}Your move: you play ${learner.side === 0 ? "O" : "X"}.`;
    const why = under.resigned ? `: ${name}'s box is empty, and it resigns` : under.personResigned ? ": you resigned" : "";
    const end = under.result === 0 ? "A draw" : under.result > 0 ? `${name} has won` : "You have won";
    const learned = !learner.learns ? "It does not learn here." : changes.length ? `${name} learns from it.` : `It changes nothing in ${name}.`;
    return `${moved}${end}${why}. ${learned}`;
  }

  function list() {
    at("list").replaceChildren();
    if (game.of_cells || !under.personsTurn) return;
    for (const one of game.movesOf(under.board)) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: one.name });
      const verdict = game.verdict(one.move, game.sideOf(under.board));
      button.append(Object.assign(document.createElement("span"), { className: `worth ${verdict}`, textContent: ` ${verdict}` }));
      button.addEventListener("click", () => person(one));
      at("list").append(button);
    }
  }

  function boxHtml() {
    const saw = under.resigned ? under.saw : under.plies.findLast(ply => ply.byMachine)?.saw;
    if (!saw) return "<p>It has not moved yet. When it does, its box for the board opens here.</p>";
    const groups = game.groupsOf(saw.board);
    if (groups.length === 1 && groups[0].all.length === 1) return "<p>It has only one move left.</p>";
    if (learner.rule.boxed[saw.position] !== "1") return "<p>It has no box for this board, and takes a move at random.</p>";
    const side = game.sideOf(saw.board);
    const marks = groups.map(({ move, first, all }) => ({
      one: first, move, name: menace.nameOf(game, learner, first), verdict: game.verdict(move, side),
      names: menace.joined(all.map(one => menace.nameOf(game, learner, one))), ...saw.held.get(move),
      colour: menace.colourOf(learner, move)?.[1] ?? null,
    }));
    const shown = marks.map(mark => ({ ...mark, amount: menace.amountText(mark.amount, learner.unit) }));
    const beads = marks.reduce((sum, mark) => sum + mark.amount, 0);
    const number = Array.from(learner.rule.boxed.slice(0, saw.position + 1)).filter(one => one === "1").length;
    const title = learner.unit === "beads" ? `Box ${number}, ${counted(beads, "bead")}` : "Its values";
    const head = `<tr><th scope="col">move</th><th scope="col">${learner.unit}</th><th scope="col">share</th><th scope="col" class="worth">worth</th></tr>`;
    return `<p>${title}, as it was when it moved:</p><table class="box">${menace.rows(game, saw.board, shown)}</table>`
      + `<table class="moves"><thead>${head}</thead><tbody>${marks.map(mark => boxRow(mark, saw)).join("")}</tbody></table>`;
  }

  function boxRow(mark, saw) {
    const some = mark.amount <= DOTS_MOST ? mark.amount : 1; // which is the colour of them all
    const dots = learner.unit === "beads"
      ? `<span class="dots" aria-hidden="true" style="--bead:${mark.colour ?? "currentColor"}">${"<i></i>".repeat(some)}</span>` : "";
    const drawn = mark.move === saw.drawn;
    return `<tr${drawn ? ' class="drawn"' : ""}><th scope="row">${escaped(mark.names)}${drawn ? " \u2190" : ""}</th>`
      + `<td>${menace.amountText(mark.amount, learner.unit)}${dots}</td>`
      + `<td class="share" style="--s:${mark.share.toFixed(3)}">${escaped(menace.percent(mark.share))}</td>`
      + `<td class="worth ${mark.verdict}">${mark.verdict}</td></tr>`;
  }

  function changedHtml({ ply, found }) {
    const told = found.map(({ one, all, before, after, put }) => {
      const learned = after - before - put;
      const text = `${learned > 0 ? "+" : ""}${learned}`.replace("-", "\u2212");
      const look = game.verdicts[Math.sign(learned)]; // in the same colours: more of it, less of it
      const back = put ? `, ${put.toLocaleString("en")} put back first` : "";
      const called = menace.joined(all.map(other => menace.nameOf(game, learner, other)));
      const line = `<li><b>${escaped(called)}</b> ${before.toLocaleString("en")} to ${after.toLocaleString("en")}${back} <b class="${look}">${text}</b></li>`;
      return { line, mark: { one, name: menace.nameOf(game, learner, one), verdict: look, share: 0, amount: text, colour: null } };
    });
    return `<div class="changed"><table class="box">${menace.rows(game, ply.board, told.map(one => one.mark))}</table>`
      + `<ul>${told.map(one => one.line).join("")}</ul></div>`;
  }

  function showWorth() {
    const shown = place.classList.contains("shows-worth");
    for (const button of at("board").querySelectorAll("button[data-cell]")) {
      button.dataset.label ??= button.getAttribute("aria-label");
      button.setAttribute("aria-label", button.dataset.label + (shown && button.dataset.worth ? `, ${button.dataset.worth}` : ""));
    }
    at("worth").setAttribute("aria-pressed", String(shown));
  }

  function keeping() {
    if (!learner.learns) return;
    at("games").textContent = counted(learner.games + kept.games, "game");
    const here = kept.games ? `${name} has learned from ${counted(kept.games, "game")} in this browser` : `${name} has learned nothing in this browser yet`;
    at("kept").textContent = keeps ? `${here}${kept.games ? ", and what it learned is kept here" : ""}.`
      : `${here}. This browser keeps nothing: download it, or it is gone with the page.`;
    at("forget").disabled = !kept.games;
    strength();
  }

  function strength() {
    if (!kept.curve.length) measure();
    const [, value] = kept.curve.at(-1);
    at("value").textContent = `${value > 0 ? "+" : ""}${value.toFixed(4)}`.replace("-", "\u2212");
    if (kept.curve.length > 1) {
      at("strength").innerHTML = menace.curve(kept.curve, {
        low: -1, high: 1, across: games => Math.log1p(games - kept.curve[0][0]),
        label: `Value of ${name} against random play, from ${kept.curve[0][1].toFixed(2)} to ${value.toFixed(2)}, by games`,
      }) + `<p class="note">By games learned, from ${counted(kept.curve[0][0], "game")} to ${kept.curve.at(-1)[0].toLocaleString("en")}.</p>`;
    } else at("strength").replaceChildren();
  }

  // What is done.

  function measure() {
    const policy = menace.sit(game.graph, learner, kept).policy();
    const [win, , loss] = menace.against(game.graph, policy, random, learner.side)[game.home[game.start]];
    menace.extend(kept.curve, [learner.games + kept.games, win - loss]);
  }
  const random = game.graph.anyMove.policy();

  function begin() {
    under = new menace.GameUnderWay(game, learner, kept);
    changes = null;
    if (!under.personsTurn && under.outcome === ONGOING) under.machineMoves();
    over();
    draw();
  }

  function person(one) {
    if (!under.personsTurn) return;
    under.personMoves(one);
    if (under.outcome === ONGOING) under.machineMoves();
    over();
    draw();
  }

  /** Take what the machine has learned meanwhile in another tab. */
  function refresh() {
    kept = (learner.learns && keeps && menace.recalled(game, learner)) || kept;
  }

  function over() {
    if (under.outcome === ONGOING || changes) return;
    if (!under.plies.length) { // to open the page is no game, even where the machine has nothing left to begin with
      changes = [];
      return;
    }
    refresh();
    under.kept = kept;
    if (!kept.curve.length) measure();
    changes = under.finish();
    score[under.result > 0 ? "machine" : under.result < 0 ? "you" : "drawn"] += 1;
    menace.scored(kept.score, SCORE[under.result]);
    if (!learner.learns) return;
    measure();
    keeps = menace.keep(learner, kept);
  }

  let sure = false; // the first of two presses that resign
  function resign() {
    if (at("resign").disabled) return;
    if (!sure) {
      sure = true;
      say("Resign? Press it again to say yes.");
      setTimeout(() => { sure = false; }, 4000);
      return;
    }
    sure = false;
    under.personResigned = true;
    over();
    draw();
  }

  function undo() {
    if (at("undo").disabled) return;
    under.undo();
    draw();
  }

  function setWorth(shown) {
    place.classList.toggle("shows-worth", shown);
    showWorth();
  }

  const hands = new menace.Hands(at("board"), { chosen: person, asks: say });
  const keys = { u: undo, n: begin, r: resign, "?": () => { at("key-list").open = !at("key-list").open; at("key-list").scrollIntoView({ block: "nearest" }); } };
  addEventListener("keydown", event => {
    if (busy || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.matches?.("input, select, textarea")) return;
    if (event.key === "h") setWorth(true);
    else if (game.of_cells && under.personsTurn && /^\d$/.test(event.key)) {
      const one = game.movesOf(under.board).find(move => menace.nameOf(game, learner, move) === event.key);
      if (one) person(one);
    } else if (event.key in keys) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  addEventListener("keyup", event => { if (event.key === "h") setWorth(false); });
  at("worth").addEventListener("click", () => setWorth(!place.classList.contains("shows-worth")));
  at("undo").addEventListener("click", undo);
  at("next").addEventListener("click", begin);
  at("resign").addEventListener("click", resign);

  if (learner.learns) {
    at("download").addEventListener("click", () => menace.download(learner, kept));
    at("load").addEventListener("change", async event => {
      const [file] = event.target.files;
      if (!file) return;
      try {
        become(await menace.readFile(file, game, learner));
        say(`${name} has learned from ${counted(kept.games, "game")} more than when it was exported. ${words()}`);
      } catch (error) {
        say(error.message);
      }
      event.target.value = "";
    });
    at("forget").addEventListener("click", () => {
      if (!confirm(`Forget what ${name} has learned from ${counted(kept.games, "game")} in this browser?`)) return;
      become(menace.fresh(game, learner));
      menace.forget(learner);
      keeping();
    });
  }

  /** Go on with another memory of the machine. */
  function become(other) {
    kept = other;
    keeps = menace.keep(learner, kept);
    begin();
  }

  /** Keep hands off the board and off what is kept, while the machine trains. */
  function setBusy(now) {
    busy = now;
    at("hand").inert = at("keeping").inert = now;
    if (now) say(`${name} trains.`);
  }

  Object.assign(menace, { table: { game, learner, now: () => kept, refresh, begin, keeping, measure, setBusy, keep: () => { keeps = menace.keep(learner, kept); } } });
  begin();
})(globalThis.menace ??= {});
