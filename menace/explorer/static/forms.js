// Forms that write: each is sent as JSON, and says beside itself in one line what is wrong. What was typed stays.

const said = form => form.querySelector(".said");

function tell(form, message) {
  const line = said(form);
  line.textContent = message;
  line.hidden = !message;
  for (const one of form.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
  const wrong = /^setting (\w+)=/.exec(message)?.[1];
  const field = wrong && form.elements.namedItem(`settings.${wrong}`);
  if (field) {
    field.setAttribute("aria-invalid", "true");
    field.focus();
  }
}

// The fields of a form as an object; `settings.beads` is the beads of its settings.
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

async function post(address, body) {
  let answer;
  try {
    answer = await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    throw new Error("the server does not answer; start it again, then send this again");
  }
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(found.error ?? `the server answers ${answer.status}`);
  return found;
}

async function send(form) {
  if (form.dataset.busy) return;
  form.dataset.busy = "yes";
  tell(form, "");
  try {
    let found = await post(form.dataset.post, bodyOf(form));
    const bar = form.querySelector("progress");
    while (found.run?.state === "unfinished") {
      if (bar) Object.assign(bar, { hidden: false, max: found.run.games_wanted, value: found.run.games_played });
      found = await post(found.more, { run_id: found.run.run_id });
    }
    const next = form.dataset.to ?? found.address;
    location.assign(next);
    if (new URL(next, location.href).pathname === location.pathname) location.reload();
  } catch (error) {
    tell(form, error.message);
  } finally {
    delete form.dataset.busy;
  }
}

// Another preset has other settings: they are fetched, and a name that was typed stays.
async function swap(select) {
  const form = select.form, name = form.elements.namedItem("name");
  const typed = name.value !== name.defaultValue ? name.value : null;
  const address = new URL(select.dataset.swap, location.href);
  address.searchParams.set("preset", select.value);
  if (typed !== null) address.searchParams.set("name", typed);
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.getElementById("making");
  if (!found) return location.assign(address);
  document.getElementById("making").replaceWith(document.adoptNode(found));
  history.replaceState(null, "", address);
  document.getElementById(select.id).focus();
  foretell();
}

// How likely a machine is to lose its first box: of the machine that is shown, or of the one that is being made.
async function foretell() {
  const line = document.getElementById("prospect");
  if (!line) return;
  const address = new URL(line.dataset.prospect, location.href);
  for (const { name, value } of line.closest("form")?.elements ?? []) {
    if (name === "preset" || name === "plays") address.searchParams.set(name, value);
    else if (name?.startsWith("settings.")) address.searchParams.append("setting", `${name.slice("settings.".length)}=${value}`);
  }
  line.dataset.asked = address;
  const found = await fetch(address).then(answer => answer.json()).catch(() => ({}));
  if (line.dataset.asked !== String(address)) return; // something else has been typed since
  const said = [...new Set(Object.values(found.prospects ?? {}))];
  line.hidden = !said.length;
  line.textContent = said.map(one => `${one[0].toUpperCase()}${one.slice(1)}.`).join(" ");
}
foretell();

document.addEventListener("submit", event => {
  if (!event.target.matches("form.sent")) return;
  event.preventDefault();
  send(event.target);
});
document.addEventListener("change", event => {
  if (event.target.dataset.swap) swap(event.target);
  else if (event.target.closest("#making")) foretell();
});
