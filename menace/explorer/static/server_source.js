// Provide data for the Play page from a server: a session identified by its token, training, and a machine's progress. The page polls for progress. If
// several tabs show the same machine, one of them polls and forwards the responses to the others.
"use strict";
(menace => {
  const POLL = 500; // milliseconds between polls while something is changing
  const MAX_INTERVAL = 30_000; // maximum milliseconds between polls, reached after a long time without changes
  const MAX_RETRY_INTERVAL = 4000; // maximum milliseconds between polls while the server does not respond
  const OTHER_TAB_DELAY = 200; // milliseconds by which a tab delays its poll after another tab has polled
  const { explore, player, clauses, saved, ...source } = document.getElementById("source").dataset;
  let { here } = source; // the address, which changes when a beginner is stored
  menace.clauses = JSON.parse(clauses);

  const isUnsaved = () => Boolean(saved) && !here.startsWith(saved);
  const answer = address => menace.answer(here + address, "go on", { cache: "no-store" });
  const post = (address, body) => menace.post(here + address, body, "go on");

  // This tab's session.

  async function storeToken(scene) {
    const { token, player: name, unsaved } = await scene;
    if (isUnsaved() && !unsaved) {
      localStorage.setItem(`menace beginner ${saved}`, name);
      here = saved + encodeURIComponent(name);
      history.replaceState(null, "", here + location.hash);
      listen();
      tick();
    }
    sessionStorage.setItem(here, token);
    return scene;
  }

  const begin = order => storeToken(post("/begin", order));
  const act = (what, body) => storeToken(post(`/${what}`, { token: sessionStorage.getItem(here), ...body }));

  async function again() {
    const token = sessionStorage.getItem(here);
    return token === null ? null : answer(`/session.json?token=${encodeURIComponent(token)}`);
  }

  /** Return the address of the Explore page for the last of several boards, with all of the boards as the line of play. */
  const exploring = boards =>
    `${explore}/${encodeURIComponent(boards.at(-1))}?${new URLSearchParams({ ...(player && { learner: player }), line: boards.join(",") })}`;

  // The progress of the machine.

  let tabs;
  let show; // called with each progress report
  let onSilence; // called with an error message while the server does not respond, and with "" once it does
  let state = null; // the latest progress report
  let most = 0; // the number of boxes to request; 0 for the server's default
  let after = null; // the number of the last block received
  let wait = POLL; // milliseconds until the next poll
  let timer; // the timer for the next poll
  let polling = false;

  /** Poll for progress, less and less often while nothing changes. */
  async function poll() {
    const before = state;
    try {
      do {
        const [since, boxes] = [after, most];
        const query = new URLSearchParams({ ...(since !== null && { after: since }), ...(most && { boxes: most }) });
        const progress = await answer(`/progress.json?${query}`);
        onSilence("");
        if (boxes !== most) continue; // the wanted number of boxes has changed since the request
        if (since !== null) tabs.postMessage({ since, progress });
        accept(since, progress);
      } while (after === null || state.more);
      wait = hasChanged(before) ? POLL : Math.min(2 * wait, MAX_INTERVAL);
    } catch (error) {
      wait = error.status === 503 ? POLL : Math.min(2 * wait, MAX_RETRY_INTERVAL);
      if (error.status !== 503) onSilence(error.message); // 503: a trainer is committing a block, so the next poll follows soon
    }
  }

  const hasChanged = before => before === null || before.block !== state.block || before.games !== state.games
    || JSON.stringify([before.run, before.training]) !== JSON.stringify([state.run, state.training]);

  /** Show the response to a poll for blocks after `since` if the response continues what is shown; return whether the response was shown. */
  function accept(since, progress) {
    if (after !== null && (since === null || since > after || progress.block < after)) return false;
    const blocks = progress.blocks.filter(({ block }) => after === null || block > after);
    state = progress;
    after = progress.block;
    show({ ...progress, blocks });
    return true;
  }

  function listen() {
    tabs?.close();
    tabs = new BroadcastChannel(`progress of ${here}`);
    tabs.addEventListener("message", ({ data: { since, progress } }) => {
      const before = state;
      if (document.hidden || after === null || !accept(since, progress)) return;
      if (hasChanged(before)) wait = POLL;
      pollIn(wait + OTHER_TAB_DELAY);
    });
  }
  listen();

  function pollIn(milliseconds) {
    clearTimeout(timer);
    timer = setTimeout(tick, milliseconds);
  }

  async function tick() {
    if (document.hidden || polling || !show || isUnsaved()) return; // the next event or the current poll schedules the next poll
    polling = true;
    await poll();
    polling = false;
    pollIn(wait);
  }

  /** Poll immediately, because the user is active. */
  function wake() {
    if (wait > POLL) pollIn(0);
    wait = POLL;
  }

  /** From now on, request the given number of boxes; 0 restores the default. */
  function want(number) {
    [most, after] = [number, null];
    pollIn(0);
  }

  function watch(...listeners) {
    [show, onSilence] = listeners;
    for (const event of ["pointerdown", "keydown", "focus"]) addEventListener(event, wake);
    document.addEventListener("visibilitychange", () => {
      clearTimeout(timer);
      if (document.hidden) return;
      after = null; // missed blocks are skipped, because a whole night's worth may have accumulated
      wait = POLL;
      tick();
    });
    tick();
  }

  async function train(what, body) {
    wait = POLL;
    const reply = await post(`/train${what}`, body);
    await poll();
    pollIn(wait);
    return reply;
  }

  const teach = saved?.replace(/play\/$/, "beginner"); // the address at which each browser teaches its own beginner
  menace.source = { act, again, begin, exploring, teach, train, want, watch };
})(globalThis.menace ??= {});
