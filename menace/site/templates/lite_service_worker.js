// Pass requests below app/ to the tab that runs Python, and return that tab's responses.
const home = self.registration.scope, app = `${home}app/`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.url.startsWith(app)) event.respondWith(answer(event.request));
});

async function answer(request) {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const homes = tabs.filter(({ url }) => url.startsWith(home) && !url.startsWith(app));
  if (!homes.length) return Response.redirect(home);
  const path = `/${request.url.slice(app.length).split("#")[0]}`, type = request.headers.get("content-type") ?? "";
  const message = [request.method, path, type, await request.text()];
  const [status, headers, body] = await new Promise((resolve) => {
    for (const tab of homes) { // only one of them runs Python and replies
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => resolve(data);
      tab.postMessage(message, [port2]);
    }
  });
  return new Response(status === 204 || status === 304 ? null : body, { status, headers });
}
