// What the pages of a class share: requests, and the strip of a pupil's games.
"use strict";
(menace => {
  menace.clauses = JSON.parse(document.body.dataset.clauses);
  const RESULTS = { win: "you won", draw: "a draw", loss: "the machine won" };

  /** Send a request and return the answer as JSON. Throws an Error with its `status`, which is 0 if the server does not answer. */
  menace.ask = async (address, { body, headers = {} } = {}) => {
    const options = body ? { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } } : { headers };
    let reply;
    try {
      const answer = await fetch(address, { cache: "no-store", ...options });
      reply = await answer.json();
      if (answer.ok) return reply;
      throw Object.assign(new Error(reply.error), { status: answer.status });
    } catch (error) {
      throw reply?.error ? error : Object.assign(new Error("the teacher's computer does not answer"), { status: 0 });
    }
  };

  /** Show a message, or hide it if it is empty. */
  menace.complain = text => {
    const line = document.getElementById("wrong");
    line.hidden = !text;
    line.textContent = text && `${menace.upper(text)}.`;
  };

  /** Return a strip with a dot for each game. */
  menace.gameDots = games => `<span class="games" role="img" aria-label="${menace.escaped(games.map(([result]) => RESULTS[result]).join(", "))}">`
    + games.map(([result]) => `<i class="${result}" title="${RESULTS[result]}"></i>`).join("") + "</span>";

  menace.inHundred = share => `${Math.round(100 * share)} of 100`;
})(globalThis.menace ??= {});
