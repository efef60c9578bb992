// Send each form that changes something on the server as JSON. An error message appears next to the field that it concerns, and the input is kept.
import { replacePart } from "./swap.js";

let messages = 0; // the number of messages that have been given an id

/** Return the field that a message concerns: the form's only field, or the field whose name begins the message or whose value occurs in it. */
function fieldOf(form, message) {
  const setting = /^setting (\w+)=/.exec(message)?.[1];
  if (setting) return form.elements.namedItem(`settings.${setting}`);
  const fields = [...form.elements].filter(field => field.name && field.type !== "hidden");
  const named = fields.find(field => new RegExp(`^(the )?${field.name}\\b`).test(message));
  const given = fields.filter(field => field.value.length > 1 && message.includes(field.value));
  return named ?? given.sort((a, b) => b.value.length - a.value.length)[0] ?? (fields[1] ? null : fields[0]);
}

function showMessage(form, message) {
  const line = form.querySelector(".said");
  line.id ||= `said-${++messages}`;
  for (const invalid of form.querySelectorAll("[aria-invalid]")) {
    invalid.removeAttribute("aria-invalid");
    invalid.setAttribute("aria-describedby", invalid.getAttribute("aria-describedby").replace(line.id, "").trim());
  }
  const field = message && fieldOf(form, message);
  (field?.closest?.(".field") ?? form).append(line);
  line.textContent = message;
  line.hidden = !message;
  if (!field) return;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", `${field.getAttribute("aria-describedby") ?? ""} ${line.id}`.trim());
  field.focus();
}

/** Return the fields of a form as an object; the field `settings.beads` becomes `beads` in the object `settings`. */
function bodyOf(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name) continue;
    const [key, inner] = field.name.split(".");
    const value = field.type === "checkbox" ? field.checked : field.value;
    if (inner) (body[key] ??= {})[inner] = value;
    else body[key] = value;
  }
  return body;
}

/** Return the server's response, parsed from JSON. If the request fails, throw an Error with the response's `status`, or with status 0 and the `advice` if there is no response. */
async function answer(address, advice, options) {
  const response = await fetch(address, options).catch(() => null);
  if (!response) throw Object.assign(new Error(`the server does not answer; start it again, then ${advice}`), { status: 0 });
  const content = await response.json().catch(() => ({}));
  if (response.ok) return content;
  throw Object.assign(new Error(content.error ?? `the server returned status ${response.status}`), { status: response.status });
}

const post = (address, body, advice = "send this again") =>
  answer(address, advice, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

Object.assign(globalThis.menace ??= {}, { answer, post });

async function send(form) {
  if (form.dataset.busy) return;
  form.dataset.busy = "yes";
  showMessage(form, "");
  try {
    let reply = await post(form.dataset.post, bodyOf(form));
    const bar = form.querySelector("progress");
    while (reply.run?.state === "unfinished") {
      if (bar) Object.assign(bar, { hidden: false, max: reply.run.games_wanted, value: reply.run.games_played });
      reply = await post(reply.more, { run_id: reply.run.run_id });
    }
    const next = form.dataset.to ?? reply.address;
    location.assign(next);
    if (new URL(next, location.href).pathname === location.pathname) location.reload();
  } catch (error) {
    showMessage(form, error.message);
  } finally {
    delete form.dataset.busy;
  }
}

/** Show the settings of the selected preset, and keep the name that was typed. */
async function swap(select) {
  const name = select.form.elements.namedItem("name");
  const address = new URL(select.dataset.swap, location.href);
  address.searchParams.set("preset", select.value);
  if (name.value !== name.defaultValue) address.searchParams.set("name", name.value);
  if (!await replacePart(address, "#making")) return;
  document.getElementById(select.id).focus();
  history.replaceState(null, "", address);
  showRuinRisk();
}

/** Show how likely the first box is to run out of beads, for the displayed machine or the machine being created. */
async function showRuinRisk() {
  const line = document.getElementById("prospect");
  if (!line) return;
  const address = new URL(line.dataset.prospect, location.href);
  for (const { name, value } of line.closest("form")?.elements ?? []) {
    if (name === "preset" || name === "plays") address.searchParams.set(name, value);
    else if (name?.startsWith("settings.")) address.searchParams.append("setting", `${name.slice("settings.".length)}=${value}`);
  }
  line.dataset.asked = address;
  const reply = await fetch(address).then(answer => answer.json()).catch(() => ({}));
  if (line.dataset.asked !== String(address)) return; // the input has changed since the request
  const sentences = [...new Set(Object.values(reply.prospects ?? {}))];
  line.hidden = !sentences.length;
  line.textContent = sentences.map(sentence => `${sentence[0].toUpperCase()}${sentence.slice(1)}.`).join(" ");
}
showRuinRisk();

document.addEventListener("submit", event => {
  if (!event.target.matches("form.sent")) return;
  event.preventDefault();
  send(event.target);
});
document.addEventListener("change", event => {
  if (event.target.dataset.swap) swap(event.target);
  else if (event.target.closest("#making")) showRuinRisk();
});
