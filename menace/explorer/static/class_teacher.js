// The teacher's page, made for a projector, which shows the pupils, the exact strengths of their machines, and the class's curve.
"use strict";
(menace => {
  const { answer, counted, escaped, post, smallBeadScale, smallBox } = menace;
  const POLL = 1000; // milliseconds between polls
  const HERE = "/-/class";
  const at = id => document.getElementById(id);
  const form = at("choose");
  menace.clauses = JSON.parse(document.body.dataset.clauses);
  const complain = text => Object.assign(at("wrong"), { hidden: !text, textContent: text && `${menace.upper(text)}.` });
  const inHundred = share => `${Math.round(100 * share)} of 100`;
  let state = null;
  const drawn = new Map(); // the text of each card, so that only changed cards are drawn again

  function draw() {
    const { phase, pupils, cards, curves, sums } = state;
    const open = phase === "lobby";
    at("lobby").hidden = !open;
    at("live").hidden = open;
    at("join-here").hidden = open || phase === "over";
    const here = pupils.map(({ name }) => `<span>${escaped(name)}</span>`).join(" ");
    at("names").innerHTML = here || "Nobody is here yet.";
    const games = pupils.reduce((sum, pupil) => sum + pupil.games, 0);
    const verb = phase === "over" ? "The lesson is over." : phase === "paused" ? "Pause." : "";
    const results = [`${sums.win} won`, ...(sums.draw ? [`${sums.draw} drawn`] : []), `${sums.loss} lost by the pupils`].join(", ");
    at("headline").textContent = `${verb} ${pupils.length} ${pupils.length === 1 ? "pupil" : "pupils"}, ${counted(games, "game")}${games ? `: ${results}` : ""}`;
    drawCards(cards);
    drawCurves(Object.entries(curves).filter(([, points]) => points.length > 1));
    at("begin").hidden = !open;
    for (const id of ["pause", "next", "tournament", "sum"]) at(id).hidden = open || (phase === "over" && id !== "tournament" && id !== "sum");
    at("end").hidden = phase === "over";
    at("pause").textContent = phase === "paused" ? "Continue" : "Pause everyone";
    drawChoices();
  }

  /** Draw a curve for each side that shows how often its machines lose on average. */
  function drawCurves(lines) {
    const percents = lines.map(([side, points]) => [`machines that play ${side}`, points.map(([number, lost]) => [number, 100 * lost])]);
    const most = Math.max(...percents.flatMap(([, points]) => points.map(([, lost]) => lost)));
    const words = percents.map(([name, points], hue) => `<p><i class="sample hue-${hue}"></i> ${name}: ${Math.round(points[0][1])} of 100 at first, <b>${Math.round(points.at(-1)[1])} now</b></p>`);
    at("class-curve").innerHTML = lines.length ? `<h2>Lost against a player who moves at random, on average</h2>`
      + menace.curves(percents, { ...menace.PERCENT, ticks: [0, 20, 40, 60, 80, 100].filter(tick => tick < most + 20), logarithmic: false, label: "lost games, by the games of all pupils" }) + words.join("") : "";
  }

  function drawCards(cards) {
    const scale = smallBeadScale(cards.flatMap(({ box }) => (box ? [box] : [])));
    const place = at("cards");
    const rows = [4, 12, 27].findIndex(most => cards.length <= most) + 1 || 4;
    place.style.setProperty("--columns", Math.max(4, Math.ceil(cards.length / rows)));
    cards.forEach((card, number) => {
      const html = `<b>${escaped(card.pupil)}</b>${card.box ? smallBox(card.box, scale) : ""}`
        + `<span>${card.plays}, ${counted(card.games, "game")}</span><span>machine loses <b>${Math.round(100 * card.loss)}%</b></span>`;
      const element = place.children[number] ?? place.appendChild(Object.assign(document.createElement("div"), { className: "card" }));
      if (drawn.get(number) === html) return;
      element.classList.toggle("lit", drawn.has(number));
      element.innerHTML = html;
      drawn.set(number, html);
    });
    while (place.children.length > cards.length) place.lastChild.remove();
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
