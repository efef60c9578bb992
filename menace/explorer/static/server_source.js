// The source of the page Play where a server answers: a session by its token, training, and the progress of a machine.
// Progress is polled; of the tabs that show a machine one polls, and sends the others its answer.
"use strict";
(menace => {
  const POLL = 500; // milliseconds between two questions while something changes
  const IDLE_MOST = 30_000; // likewise, where nothing has changed for long
  const SILENT_MOST = 4000; // likewise, while the server does not answer
  const GRACE = 200; // for which a tab that heard from another leaves the next poll to it
  const { here, explore, player, clauses } = document.getElementById("source").dataset;
  menace.clauses = JSON.parse(clauses);

  const answer = address => menace.answer(here + address, "go on", { cache: "no-store" });
  const post = (address, body) => menace.post(here + address, body, "go on");

  // The session of this tab.

  async function kept(scene) {
    const { token } = await scene;
    sessionStorage.setItem(here, token);
    return scene;
  }

  const begin = order => kept(post("/begin", order));
  const act = (what, body) => kept(post(`/${what}`, { token: sessionStorage.getItem(here), ...body }));

  async function again() {
    const token = sessionStorage.getItem(here);
    return token === null ? null : answer(`/session.json?token=${encodeURIComponent(token)}`);
  }

  /** Return the address of the last of several boards in Explore, with those before it as its line. */
  const exploring = boards =>
    `${explore}/${encodeURIComponent(boards.at(-1))}?${new URLSearchParams({ ...(player && { learner: player }), line: boards.join(",") })}`;

  // The progress of the machine.

  const tabs = new BroadcastChannel(`progress of ${here}`);
  let show; // what is called with it
  let silent; // what is called with an error while the server does not answer, and with "" once it does
  let state = null; // the answer before
  let most = 0; // how many boxes are wanted; 0: as many as the server sends
  let after = null; // the block that was seen last
  let wait = POLL; // until the next poll
  let timer; // of the next poll
  let looking = false;

  /** Poll; the longer nothing changes, the longer the interval. */
  async function look() {
    const before = state;
    try {
      do {
        const [since, boxes] = [after, most];
        const query = new URLSearchParams({ ...(since !== null && { after: since }), ...(most && { boxes: most }) });
        const progress = await answer(`/progress.json?${query}`);
        silent("");
        if (boxes !== most) continue; // others are wanted meanwhile
        if (since !== null) tabs.postMessage({ since, progress });
        take(since, progress);
      } while (after === null || state.more);
      wait = hasChanged(before) ? POLL : Math.min(2 * wait, IDLE_MOST);
    } catch (error) {
      wait = error.status === 503 ? POLL : Math.min(2 * wait, SILENT_MOST);
      if (error.status !== 503) silent(error.message); // 503: a trainer commits; we ask again soon
    }
  }

  const hasChanged = before => before === null || before.block !== state.block || before.games !== state.games
    || JSON.stringify([before.run, before.training]) !== JSON.stringify([state.run, state.training]);

  /** Show an answer to a poll from block `since`, if it continues what is shown. */
  function take(since, progress) {
    if (after !== null && (since === null || since > after || progress.block < after)) return false;
    const blocks = progress.blocks.filter(({ block }) => after === null || block > after);
    state = progress;
    after = progress.block;
    show({ ...progress, blocks });
    return true;
  }

  tabs.addEventListener("message", ({ data: { since, progress } }) => {
    const before = state;
    if (document.hidden || after === null || !take(since, progress)) return;
    if (hasChanged(before)) wait = POLL;
    askIn(wait + GRACE);
  });

  function askIn(milliseconds) {
    clearTimeout(timer);
    timer = setTimeout(tick, milliseconds);
  }

  async function tick() {
    if (document.hidden || looking) return; // the next event, or the poll under way, polls again
    looking = true;
    await look();
    looking = false;
    askIn(wait);
  }

  /** Poll again soon: the user is active. */
  function wake() {
    if (wait > POLL) askIn(0);
    wait = POLL;
  }

  /** Show so many boxes from now on. */
  function want(number) {
    [most, after] = [number, null];
    askIn(0);
  }

  function watch(...listeners) {
    [show, silent] = listeners;
    for (const event of ["pointerdown", "keydown", "focus"]) addEventListener(event, wake);
    document.addEventListener("visibilitychange", () => {
      clearTimeout(timer);
      if (document.hidden) return;
      after = null; // what was missed is not gone through block by block: it may have been a night
      wait = POLL;
      tick();
    });
    tick();
  }

  async function train(what, body) {
    wait = POLL;
    const reply = await post(`/train${what}`, body);
    await look();
    askIn(wait);
    return reply;
  }

  menace.source = { act, again, begin, exploring, train, want, watch };
})(globalThis.menace ??= {});
