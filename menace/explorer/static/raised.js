// Show the challenges for a person who raises a beginner, and provide the result as a picture and as a link. After `#raised=`, a link contains
// base64url-encoded JSON: the `games`, each with its result and the machine's losses per 1,000 games; the `boards` of the last game; and the
// `amounts` in the machine's first box.
"use strict";
(menace => {
  const { PERCENT, counted, escaped, opening, phrase, source } = menace;
  const CHALLENGE = 20; // number of games
  const HASH = "#raised=";
  const [WIDTH, HEIGHT, SCALE] = [760, 430, 2]; // the size of the picture, and the scale of the PNG
  const [LEFT, RIGHT] = [300, 740]; // the edges of the curve and the boards
  const COPIED = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "font-family", "font-size", "font-weight", "text-anchor"];
  const RESULTS = ["win", "draw", "loss"];
  const at = id => document.getElementById(id);
  const dialog = at("raised");
  let scene; // the latest state of the session
  let own = []; // the machine's first games, as long as only a person taught it

  /** Return the number of the first game that the person did not win, or 0 if there is none. */
  const firstPoint = games => games.findIndex(([result]) => result !== "win") + 1;

  /** If the machine is a beginner, show both challenges and the person's progress. */
  function showChallenges(state) {
    scene = state;
    own = scene.lessons.filter(([,, games], place) => games === place + 1).slice(0, CHALLENGE);
    at("challenges").hidden = !menace.isBeginner(scene.player);
    at("challenges").classList.toggle("unseen", !own.length);
    const first = firstPoint(own);
    const draws = scene.score.draws !== null;
    const lines = [[draws ? "until_draw" : "until_win", phrase(first ? "took_games" : "not_yet", { games: counted(first || own.length, "game") })],
      ["best_of", phrase("raised_so_far", { count: own.length })]];
    at("challenges").querySelector("ul").innerHTML = lines.map(([clause, reached]) => `<li>${escaped(opening(clause))} ${own.length ? `<b>${escaped(reached)}</b>` : ""}</li>`).join("");
    at("show-raised").hidden = !own.length || scene.outcome === null;
  }

  const bytes = text => String.fromCharCode(...new TextEncoder().encode(text));
  const encoded = result => btoa(bytes(JSON.stringify(result))).replaceAll("+", "-").replaceAll("/", "_");

  /** Return the result that a link contains, or null if it contains no result for this game. */
  function decoded(text) {
    try {
      const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
      const { games, boards, amounts } = JSON.parse(new TextDecoder().decode(Uint8Array.from(letters, letter => letter.charCodeAt())));
      const isGame = ([result, loss]) => RESULTS.includes(result) && loss >= 0 && loss <= 1000;
      const isBoard = pieces => pieces.length === scene.pieces.length && pieces.every(piece => typeof piece === "string" && piece.length < 4);
      const isValid = games.length && games.length <= CHALLENGE && games.every(isGame) && boards.every(isBoard)
        && amounts.length === scene.first_box.moves.length && amounts.every(amount => amount >= 0 && amount < 1e9);
      return isValid ? { games, boards, amounts } : null;
    } catch {
      return null;
    }
  }

  const result = () => ({
    games: own.map(([each, loss]) => [each, Math.round(1000 * loss)]), boards: [...scene.plies, scene].map(({ pieces }) => pieces),
    amounts: scene.first_box.moves.map(move => move.amount),
  });

  const placed = (svg, x, y, width, height) => svg.replace("<svg ", `<svg x="${x}" y="${y}" width="${width}" height="${height}" style="width:${width}px;height:${height}px;max-width:none" `);

  /** Return the picture, which contains a sentence, the first box, the curve, the results, and the boards of the last game. */
  function picture({ games, boards, amounts }) {
    const losses = games.map(([, loss]) => loss / 10);
    const top = 10 * Math.ceil(Math.max(1, ...losses) / 10);
    const curve = menace.curves([["", losses.map((loss, place) => [place + 1, loss])]], { ...PERCENT, ticks: [0, top / 2, top], text: String, label: "", logarithmic: false });
    const box = menace.largeBox({ ...scene.first_box, moves: scene.first_box.moves.map((move, row) => ({ ...move, amount: amounts[row] })) });
    const first = firstPoint(games);
    const lines = [opening("raised_loses", { loss: losses.at(-1).toFixed(1) }), ...(first ? [opening(scene.score.draws === null ? "raised_won" : "raised_drew", { game: first })] : [])];
    const side = Math.min(52, (RIGHT - LEFT) / boards.length - 8);
    const small = boards.map((pieces, place) => menace.boardSvg({ shape: scene.shape, pieces, moves: [] }, LEFT + place * (side + 8), 360, side));
    const dots = games.map(([each], place) => `<circle class="${each}" cx="${LEFT + 9 + place * 22}" cy="335" r="7"/>`);
    return `<svg class="matchbox" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(lines.join(". "))}"><rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>`
      + `<text class="headline" x="24" y="46">${escaped(opening("raised_title", { games: counted(games.length, "game") }))}</text><text x="24" y="76">${escaped(lines.map(line => `${line}.`).join(" "))}</text>`
      + `${placed(box, 24, 100, 256, 295)}<text x="${LEFT}" y="112">${escaped(opening("raised_curve"))}</text>${placed(curve, LEFT, 120, 400, 199)}${dots.join("")}${small.join("")}</svg>`;
  }

  /** Return the picture as a standalone file in which each element carries its own styles. */
  function standalone() {
    const shown = dialog.querySelector("svg");
    const copy = shown.cloneNode(true);
    const [from, to] = [shown, copy].map(svg => [svg, ...svg.querySelectorAll("*")]);
    from.forEach((element, place) => {
      const style = getComputedStyle(element);
      to[place].setAttribute("style", COPIED.map(name => `${name}:${style.getPropertyValue(name)}`).join(";"));
    });
    for (const [name, size] of Object.entries({ width: WIDTH, height: HEIGHT })) copy.setAttribute(name, size);
    return new XMLSerializer().serializeToString(copy);
  }

  function download(address, name) {
    Object.assign(document.createElement("a"), { href: address, download: name }).click();
  }

  const svgAddress = () => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone())}`;

  async function savePng() {
    const image = Object.assign(new Image(), { src: svgAddress() });
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: SCALE * WIDTH, height: SCALE * HEIGHT });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    download(canvas.toDataURL("image/png"), "menace.png");
  }

  function show(shown, said) {
    at("raised-said").textContent = shown ? opening(said) : `${opening("link_damaged")}.`;
    dialog.querySelector("div").innerHTML = shown ? picture(shown) : "";
    dialog.querySelector(".controls").hidden = !shown;
    dialog.showModal();
  }

  async function share() {
    at("raised-link").href = new URL(source.teach + HASH + encoded(result()), location.href);
    at("raised-link").hidden = false;
    show(result(), "raised_own");
    await navigator.clipboard?.writeText(at("raised-link").href).catch(() => {});
  }

  /** Show the result that the address contains, once the session has begun. */
  function open() {
    if (!scene || !location.hash.startsWith(HASH)) return;
    const shown = scene.first_box && decoded(location.hash.slice(HASH.length));
    history.replaceState(null, "", location.pathname + location.search);
    at("raised-link").hidden = true;
    show(shown, "raised_other");
  }

  at("show-raised").addEventListener("click", share);
  at("save-svg").addEventListener("click", () => download(svgAddress(), "menace.svg"));
  at("save-png").addEventListener("click", savePng);
  addEventListener("hashchange", open);

  menace.showChallenges = state => {
    const isFirst = !scene;
    showChallenges(state);
    if (isFirst) open();
  };
})(globalThis.menace ??= {});
