// The teacher's page, which is designed for a projector and shows the pupils, the exact strengths of their machines, and the class's curve.
"use strict";
(menace => {
  const { answer, closedMatchbox, counted, escaped, isDrawn, post, smallBeadScale, smallBox, smallDrawer } = menace;
  const POLL = 1000; // milliseconds between polls
  const HERE = "/-/class";
  const FEW = 12; // pupils; while no more have joined, the address and the code are large
  const SIDES = ["X", "O"];
  const [SHAPE, TEXT, BESIDE] = [1.56, 2.9, 1.1]; // the width of a drawer divided by its height, and in rem the height of a card's text and the space beside a drawer
  const at = id => document.getElementById(id);
  const form = at("choose");
  menace.clauses = JSON.parse(document.body.dataset.clauses);
  const complain = text => Object.assign(at("wrong"), { hidden: !text, textContent: text && `${menace.upper(text)}.` });
  const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);
  const inHundred = share => `${Math.round(100 * share)} of 100`;
  let state = null;
  const drawn = new Map(); // the text of each card, so that only changed cards are drawn again

  function draw() {
    const { phase, pupils, cards, curve } = state;
    const open = phase === "lobby";
    at("lobby").hidden = !open;
    at("live").hidden = open;
    document.body.classList.toggle("few", pupils.length <= FEW);
    at("join-here").hidden = open || phase === "over";
    const here = pupils.map(({ name }) => `<span>${escaped(name)}</span>`).join(" ");
    at("names").innerHTML = here || "Nobody is here yet.";
    const games = pupils.reduce((sum, pupil) => sum + pupil.games, 0);
    const verb = phase === "over" ? "The lesson is over. " : phase === "paused" ? "Pause. " : "";
    at("count").textContent = `${verb}${pupils.length} ${pupils.length === 1 ? "pupil" : "pupils"}, ${counted(games, "game")}`;
    drawCards(cards);
    drawCurve(curve.map(([number, lost]) => [number, 100 * (1 - lost)]));
    at("begin").hidden = !open;
    for (const id of ["pause", "next", "tournament", "sum"]) at(id).hidden = open || (phase === "over" && id !== "tournament" && id !== "sum");
    at("end").hidden = phase === "over";
    at("pause").textContent = phase === "paused" ? "Continue" : "Pause everyone";
    drawChoices();
  }

  /** Draw the average number of games that the class's machines do not lose, and state the number in one sentence. */
  function drawCurve(points) {
    if (!points.length) return;
    const [first, now] = [points[0], points.at(-1)].map(([, kept]) => Math.round(kept));
    at("headline").innerHTML = `The class\u2019s machines now win or draw <span><b>${now}</b> of 100 games</span> <small>against a player who only guesses</small> <small>(${first} at the beginning)</small>`;
    const [least, most] = [Math.min, Math.max].map(end => end(...points.map(([, kept]) => kept)));
    const low = 10 * Math.floor(least / 10);
    const ticks = Array.from({ length: Math.max(3, 1 + Math.ceil((most - low) / 10)) }, (_, tick) => low + 10 * tick);
    at("class-curve").innerHTML = menace.curves([["", points], ["", [points[0], [points.at(-1)[0], points[0][1]]]]], { ticks, label: at("headline").textContent, logarithmic: false, height: 210 });
  }

  const signed = number => (number < 0 ? "\u2212" : "+") + Math.abs(number);
  const gained = card => card.start - card.loss;

  function drawCards(cards) {
    const scale = smallBeadScale(cards.flatMap(({ box }) => (box ? [box] : [])));
    const best = cards.reduce((most, card) => (most && gained(most) >= gained(card) ? most : card), null);
    const kept = loss => 100 - Math.round(100 * loss);
    const isBetter = ({ start, loss }) => kept(loss) > kept(start);
    const picture = box => (isDrawn(box) ? smallDrawer(box, scale) : smallBox(box, scale));
    const hasBest = cards.length > 1 && isBetter(best);
    at("most").innerHTML = hasBest ? `\u2605 <b>${escaped(best.pupil)}\u2019s machine</b> has improved most: from ${kept(best.start)} to <b>${kept(best.loss)}</b> of 100.` : "";
    const groups = SIDES.map(side => cards.filter(({ plays }) => plays === side));
    arrange(groups.map(({ length }) => length));
    SIDES.forEach((side, group) => {
      at(`play-${side}`).hidden = !groups[group].length;
      const [place, start, lid] = [".cards-of-class", "small", ".lid"].map(part => at(`play-${side}`).querySelector(part));
      const first = groups[group].find(({ box }) => box);
      start.textContent = first ? `${kept(first.start)} at first` : "";
      lid.innerHTML = first && isDrawn(first.box) ? closedMatchbox({ ...first.box, moves: first.box.moves.map(({ share, ...move }) => ({ ...move, amount: 1 })) }) : "";
      const ranked = groups[group].toSorted((one, other) => gained(other) - gained(one));
      groups[group].forEach((card, number) => {
        const isBest = hasBest && card === best;
        const html = `<p><span>${isBest ? "<i>\u2605 </i>" : ""}${escaped(card.pupil)}</span><b class="${kept(card.loss) < kept(card.start) ? "loses" : "wins"}">${signed(kept(card.loss) - kept(card.start))}</b> <small>${kept(card.loss)}</small></p>${card.box ? picture(card.box) : ""}`;
        const element = place.children[number] ?? place.appendChild(Object.assign(document.createElement("div"), { className: "card" }));
        element.classList.toggle("most", isBest);
        element.style.order = ranked.indexOf(card);
        const id = `${side} ${number}`;
        if (drawn.get(id) === html) return;
        element.classList.toggle("lit", drawn.has(id));
        element.innerHTML = html;
        drawn.set(id, html);
      });
      while (place.children.length > groups[group].length) place.lastChild.remove();
    });
  }

  /** Choose the number of rows that makes the boxes as large as possible. */
  function arrange(counts) {
    const { clientWidth, clientHeight } = at("cards");
    const columns = rows => counts.map(count => Math.ceil(count / rows));
    const size = rows => Math.min(clientWidth / columns(rows).reduce((sum, count) => sum + count, 0) - BESIDE * rem(), (clientHeight / rows - TEXT * rem()) * SHAPE);
    const rows = Array.from({ length: Math.max(...counts) }, (_, row) => row + 1).reduce((best, each) => (size(each) > size(best) ? each : best), 1);
    at("cards").style.gridTemplateColumns = columns(rows).filter(Boolean).map(count => `minmax(0, ${count}fr)`).join(" ");
    SIDES.forEach((side, group) => at(`play-${side}`).style.setProperty("--columns", columns(rows)[group]));
  }

  function drawChoices() {
    if (document.activeElement?.form === form) return;
    for (const side of ["x", "o"]) {
      const own = state.machines.filter(({ plays }) => plays === side.toUpperCase());
      const chosen = own.find(({ name }) => state.chosen.includes(name))?.name ?? "";
      const options = [["", "none"], ...own.filter(({ name }) => !state.copied || name === chosen).map(({ name, games }) => [name, `${name}, ${counted(games, "game")}`])];
      form.elements[side].innerHTML = options.map(([value, text]) => `<option value="${escaped(value)}"${value === chosen ? " selected" : ""}>${escaped(text)}</option>`).join("");
      form.elements[side].disabled = state.copied;
    }
    form.elements.together.value = state.together ? "yes" : "";
    const rows = state.pupils.map(({ name, games, here }) => `<li>${escaped(name)}, ${counted(games, "game")} `
      + `<button type="button" data-name="${escaped(name)}">${here ? "Let back in" : "may join again"}</button> <button type="button" data-name="${escaped(name)}" data-remove>Remove</button></li>`);
    if (!at("pupils").contains(document.activeElement)) at("pupils").innerHTML = rows.join("");
  }

  function drawTournament({ pupils, own, ranked, columns, table }) {
    const title = name => escaped(pupils[name] ?? name);
    const all = Object.values(table).flatMap(cells => columns.map(column => cells[column]));
    const [least, most] = [Math.min(...all), Math.max(...all)];
    const shade = points => ((points - least) / (most - least || 1)).toFixed(2);
    const lists = ["X", "O"].map(side => [side, ranked.filter(({ plays }) => plays === side)]).filter(([, rows]) => rows.length).map(([side, rows]) =>
      `<div><h3>The best that play ${side}</h3><ol>${rows.map(({ machine, points }) => `<li>${title(machine)} <b>${(100 * points).toFixed(1)}</b></li>`).join("")}</ol></div>`);
    const rows = Object.entries(table).map(([row, cells]) => `<tr><th>${title(row)}</th>${columns.map(column => `<td style="--s:${shade(cells[column])}">${Math.round(100 * cells[column])}</td>`).join("")}</tr>`);
    at("result").innerHTML = `<h2>${lists.length > 1 ? "They play each other" : "They play the usual opponents"}: points in 100 games. A win is a point, and a draw is half a point.</h2><div class="league">${lists.join("")}`
      + `<div class="wide"><table><thead><tr><th>${own} against ${own === "X" ? "O" : "X"}</th>${columns.map(name => `<th><span>${title(name)}</span></th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div></div>`;
    at("result").scrollIntoView({ behavior: "smooth" });
  }

  async function act(what, body = {}) {
    try {
      state = await (what ? post(`${HERE}/${what}`, body) : answer(`${HERE}/state.json`, "start the server again"));
      complain("");
      draw();
      return state.result;
    } catch (error) {
      complain(error.message);
    }
  }

  const on = (id, handler) => at(id).addEventListener("click", handler);
  on("begin", () => act("phase", { phase: "play" }));
  on("pause", () => act("phase", { phase: state.phase === "paused" ? "play" : "paused" }));
  on("end", () => { if (confirm("End the lesson for everyone? All games stay in the database.")) act("phase", { phase: "over" }); });
  on("next", () => act("next"));
  on("tournament", async () => { const result = await act("tournament"); if (result) drawTournament(result); });
  on("sum", async () => {
    const sums = await act("sum");
    if (sums) at("result").innerHTML = "<h2>All beads of the pupils' machines in one</h2>" + sums.map(({ name, plays, games, loss }) =>
      `<p><b>${escaped(name)}</b> plays ${plays}, knows ${counted(games, "game")} and loses <b>${inHundred(loss)}</b> against a player who moves at random.</p>`).join("");
    at("result").scrollIntoView({ behavior: "smooth" });
  });
  on("pupils", ({ target }) => { if (target.dataset.name) act("release", { name: target.dataset.name, remove: "remove" in target.dataset }); target.blur?.(); });
  form.addEventListener("change", () => act("choose", { together: form.elements.together.value === "yes", machines: [form.elements.x.value, form.elements.o.value].filter(Boolean) }));
  setInterval(() => act(""), POLL);
  act("");
})(globalThis.menace ??= {});
