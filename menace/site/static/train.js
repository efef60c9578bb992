// Training: the machine plays a number of games against an opponent, a few milliseconds at a time.
"use strict";
(menace => {
  const at = id => document.getElementById(id);
  const form = at("train");
  if (!form || !menace.table) return;
  const { game, learner, now, refresh, begin, keeping, measure, keep, setBusy } = menace.table;
  const GAMES_MOST = 1000000;
  const MILLISECONDS = 40; // between two pictures
  const SEED_BITS = 63n;
  let stopped = false;

  /** Return the numbers of games at which strength is measured: 1, 2, 5, 10, ... */
  const nextMark = games => [1, 2, 5].flatMap(factor => Array.from({ length: 8 }, (_, power) => factor * 10 ** power))
    .sort((a, b) => a - b).find(mark => mark > games);

  /** Return the players, and the opponent's memory if it is a learner. */
  function playersAgainst(against) {
    const kept = now();
    const own = menace.playerOf(game.graph, learner, kept);
    const other = menace.machines.find(machine => machine.print === against);
    const otherKept = other && ((other.learns && menace.recalled(game, other)) || menace.fresh(game, other));
    const opponent = other ? menace.playerOf(game.graph, other, otherKept) : new menace.Fixed(game.graph, game.players[against]);
    return { players: learner.side === 0 ? [own, opponent] : [opponent, own], other, otherKept };
  }

  function train(against, games, seed) {
    refresh();
    const { players, other, otherKept } = playersAgainst(against);
    const kept = now();
    const chance = new menace.Chance(seed);
    const results = { 1: 0, 0: 0, [-1]: 0 };
    let played = 0;
    stopped = false;
    const step = () => {
      for (const end = performance.now() + MILLISECONDS; played < games && !stopped && performance.now() < end;) {
        const mark = Math.min(nextMark(kept.games), kept.games + games - played);
        for (let left = Math.min(mark - kept.games, 200); left > 0; left -= 1) {
          stopped ||= players.some(player => player.isSpent());
          if (stopped) break;
          const { outcome } = menace.playGame(game.graph, players, chance);
          results[learner.side === 0 ? outcome : -outcome] += 1;
          played += 1;
          kept.games += 1;
          if (other?.learns) otherKept.games += 1;
        }
        if (kept.games === mark) measure();
      }
      const done = played === games || stopped;
      const spent = [learner, other].filter((_, place) => players[place === 0 ? learner.side : 1 - learner.side].isSpent());
      showProgress(played, games, results, seed, done, spent.map(machine => machine.name).join(" and "));
      if (done) finished(other, otherKept);
      else setTimeout(step);
    };
    step();
  }

  function finished(other, otherKept) {
    measure();
    keep();
    if (other?.learns) menace.keep(other, otherKept);
    setBusy(false);
    at("go").disabled = false;
    at("stop").disabled = true;
    begin();
  }

  function showProgress(played, games, results, seed, done, spent) {
    const ended = `${results[1].toLocaleString("en")} won, ${game.draws ? `${results[0].toLocaleString("en")} drawn, ` : ""}${results[-1].toLocaleString("en")} lost`;
    at("trained").textContent = `${played.toLocaleString("en")} of ${menace.counted(games, "game")}: ${ended}${done ? ` (seed ${seed}).${spent && ` It ends there: ${menace.phrase("spent", { names: spent })}.`}` : " ..."}`;
    at("progress").value = played / games;
    at("progress").hidden = done;
    keeping();
  }

  form.addEventListener("submit", event => {
    event.preventDefault();
    const text = form.elements.seed.value.trim();
    if (text && !(/^\d{1,19}$/.test(text) && BigInt(text) < 1n << SEED_BITS)) {
      at("trained").textContent = `${text} is not a seed: a seed is a whole number, 0 to 2^63 - 1; empty takes any.`;
      return;
    }
    const games = Number(form.elements.games.value);
    if (!(Number.isInteger(games) && games >= 1 && games <= GAMES_MOST)) {
      at("trained").textContent = `${form.elements.games.value || "nothing"} is not a number of games from 1 to ${GAMES_MOST.toLocaleString("en")}.`;
      return;
    }
    at("go").disabled = true;
    at("stop").disabled = false;
    setBusy(true);
    train(form.elements.against.value, games, text ? BigInt(text) : menace.newSeed());
  });
  at("stop").addEventListener("click", () => { stopped = true; });
})(globalThis.menace ??= {});
