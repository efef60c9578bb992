// Requests to the server: failures are Errors with the server's message and the status.

class Refusal extends Error {
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
  const content = await response.json().catch(() => ({ error: `the server answers ${response.status}` }));
  if (!response.ok) throw new Refusal(content.error ?? `the server answers ${response.status}`, response.status);
  return content;
}

export const get = address => answer(fetch(address, { cache: "no-store" }));

export const post = (address, body) =>
  answer(fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }));

export const at = id => document.getElementById(id);
