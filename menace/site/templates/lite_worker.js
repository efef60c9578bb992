// Run the explorer in Python. Each message is a request from the service worker, which waits for the response on a port.
const { pyodide, wheel, required } = SETTINGS;

const START = `
import gzip, micropip
from pathlib import Path
from pyodide.http import pyfetch
await micropip.install(installed.to_py())
Path("menace.db").write_bytes(gzip.decompress(await (await pyfetch(f"{home}menace.db.gz")).bytes()))
from menace.explorer.server.serving import BrowserTab
BrowserTab("menace.db", base_url).answer
`;

const home = new URL(".", location), ready = start();
ready.then(() => postMessage(""), (error) => postMessage(String(error)));

onmessage = ({ data, ports: [port] }) =>
  respond(data).then((reply) => port.postMessage(reply), (error) => port.postMessage([503, {}, String(error)]));

async function respond(request) {
  const { python, answer } = await ready;
  if (request[0] === "SAVE") return [200, {}, python.FS.readFile("menace.db")];
  const response = await answer(...request), reply = response.toJs({ dict_converter: Object.fromEntries });
  response.destroy();
  return reply;
}

async function start() {
  const { loadPyodide } = await import(new URL("pyodide.mjs", new URL(pyodide, home)));
  const python = await loadPyodide();
  await python.loadPackage(["micropip", "numpy"]);
  python.globals.set("installed", [new URL(wheel, home).href, ...required]);
  python.globals.set("home", home.href);
  python.globals.set("base_url", new URL("app/", home).pathname);
  return { python, answer: await python.runPythonAsync(START) };
}
