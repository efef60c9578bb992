// Plays a recording of tools/release/try_pyodide.py in Pyodide: node try_pyodide.mjs PYODIDE WHEEL RECORDING kernel|whole
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [folder, wheel, recording, what] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const pyodide = await loadPyodide();
const own = dirname(fileURLToPath(import.meta.url));
const file = `/tmp/${basename(wheel)}`;
pyodide.FS.writeFile(file, readFileSync(wheel));
pyodide.FS.writeFile("/tmp/play_recorded.py", readFileSync(join(own, "play_recorded.py")));
pyodide.globals.set("text", readFileSync(recording, "utf8"));
pyodide.globals.set("wheel", file);
pyodide.runPython("import sys; sys.path.append('/tmp')");

if (what === "whole") {
  await pyodide.loadPackage(["micropip", "numpy"]);
  await pyodide.runPythonAsync("import micropip\nawait micropip.install(f'emfs:{wheel}')");
} else {
  pyodide.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel"); // without what it depends on
}

process.exitCode = await pyodide.runPythonAsync(`
import json, platform

import play_recorded
from menace import kernel

assert not kernel.COMPILED
assert kernel.cython.__name__ == "menace.kernel.without_cython"
recording = json.loads(text)
fails = 0
for match in recording["matches"]:
    wrong = play_recorded.compare_match(match, kernel)
    fails += bool(wrong)
    print(f"{'FAILS' if wrong else 'holds'}  {match['name']}: {match['games']} games, {' and '.join(wrong) or 'all'}"
          f" {'differ' if wrong else 'the same'}")
if "commands" in recording:
    lines = play_recorded.compare_output(recording["commands"], recording["printed"])
    fails += bool(lines)
    print(*(f"FAILS  printed here or there alone: {line}" for line in lines), sep="\\n")
    print(f"{'FAILS' if lines else 'holds'}  {len(recording['commands'])} commands")
print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}, {sys.platform}")
1 if fails else 0
`);
