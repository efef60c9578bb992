// Passes requests below app/ to the tab that runs Python, and returns its responses.
const home = self.registration.scope, app = `${home}app/`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.url.startsWith(app)) event.respondWith(answer(event.request));
});

async function answer(request) {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find(({ url }) => url.startsWith(home) && !url.startsWith(app));
  if (!tab) return Response.redirect(home);
  const { port1, port2 } = new MessageChannel(), type = request.headers.get("content-type") ?? "";
  const path = request.url.slice(app.length).split("#")[0];
  const replied = new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
  tab.postMessage([request.method, `/${path}`, type, await request.text()], [port2]);
  const [status, headers, body] = await replied;
  return new Response(status === 204 || status === 304 ? null : body, { status, headers });
}
