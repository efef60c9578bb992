// Questions to the server: what goes wrong is an Error with the server's own words and the status.

export class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function answer(request) {
  let response;
  try {
    response = await request;
  } catch {
    throw new Refusal("the server does not answer; start it again, then go on", 0);
  }
  const found = await response.json().catch(() => ({ error: `the server answers ${response.status}` }));
  if (!response.ok) throw new Refusal(found.error ?? `the server answers ${response.status}`, response.status);
  return found;
}

export const get = address => answer(fetch(address, { cache: "no-store" }));

export const post = (address, body) =>
  answer(fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }));

export const at = id => document.getElementById(id);
