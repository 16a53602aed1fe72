// The page: what is typed goes to the engine after a pause, and its answers to the views.
import { counted, make, showTabs } from "./dom.js";
import { Editor } from "./editor.js";
import { Engine } from "./engine.js";
import { FragmentError, decode, encode } from "./fragment.js";
import { VIEWS, countOf, draw } from "./views.js";

const PAUSE = 250; // milliseconds without a key before a run
const ABOUT = { kubeVersion: "Kubernetes version", featureGates: "Feature gates", files: "Files" };
const find = (id) => document.getElementById(id);

const problems = { link: "", run: "" };
const state = { view: "findings", kubeVersion: "", featureGates: {}, answers: {}, fresh: new Set() };
let settings = { minors: [], newest: "", examples: [], dractl: "" };
let timer = 0;
let ownFragment = "";

const editor = new Editor(() => changed());
const engine = new Engine((name, message) => {
  if (name === "loading") say("Loading dractl (10 MB on the first visit)…");
  if (name === "ready") {
    if (problems.run) say("No results.");
    keepForOffline();
  }
  if (name !== "failed") return;
  report("run", `dractl cannot start in this browser: ${message}`);
  say("Not started.");
});

function say(text) {
  find("status").textContent = text;
}

/** Show a problem above everything; an empty text removes it. */
function report(kind, text) {
  problems[kind] = text;
  const shown = Object.values(problems).filter(Boolean).join(" ");
  find("problem").textContent = shown;
  find("problem").hidden = shown === "";
}

function request() {
  const found = { files: editor.files.map(({ name, text }) => ({ name, text })) };
  if (state.kubeVersion !== "") found.kubeVersion = state.kubeVersion;
  if (Object.keys(state.featureGates).length) found.featureGates = state.featureGates;
  return found;
}

/** Something was changed by hand: run after a pause, and put the world into the URL. */
function changed() {
  report("link", "");
  clearTimeout(timer);
  timer = setTimeout(() => {
    run();
    remember();
  }, PAUSE);
}

async function remember() {
  const fragment = await encode({ ...request(), view: state.view });
  find("link").disabled = fragment === null;
  find("link").title = fragment === null ? "The files are too large for a link" : "";
  ownFragment = fragment ?? "";
  history.replaceState(null, "", fragment ?? location.pathname + location.search);
}

function run() {
  const others = VIEWS.map((one) => one.id).filter((id) => id !== "findings" && id !== state.view);
  const first = state.view === "findings" ? [] : [[state.view]];
  state.fresh.clear();
  find("view-panel").setAttribute("aria-busy", "true");
  engine.ask({ request: request(), stages: [["gates"], ["findings"], ...first, ...others.map((id) => [id])], show, fail, done });
}

function show(answer) {
  if (answer.error) {
    fail(`${ABOUT[answer.error.about] ?? answer.error.about}: ${answer.error.message}`);
    return false;
  }
  report("run", "");
  for (const [view, found] of Object.entries(answer)) {
    state.answers[view] = found;
    state.fresh.add(view);
    if (view === "gates") drawGates(found.gates);
    if (view === "findings") editor.mark(found.listed.map((number) => found.findings[number]));
    if (view === state.view) drawView();
  }
  drawTabs();
  return true;
}

/** The run ended without results: what is shown would be about something else. */
function fail(message) {
  report("run", message);
  say("No results.");
  const kept = { findings: state.answers.findings, gates: state.answers.gates };
  state.answers = state.fresh.has("findings") ? kept : {};
  if (!state.fresh.has("findings")) editor.mark([]);
  drawTabs();
  drawView();
}

function done() {
  const { errors, warnings } = state.answers.findings.summary;
  const { verdict } = state.answers.placements;
  say(`${counted(errors, "error")}, ${counted(warnings, "warning")}; ${verdict}.`);
}

function drawTabs() {
  const tabs = VIEWS.map((view) => ({ ...view, ...(state.answers[view.id] ? countOf(view.id, state.answers[view.id]) : {}) }));
  showTabs(find("views"), find("view-panel"), tabs, state.view, chooseView);
}

function chooseView(view) {
  state.view = view;
  drawTabs();
  drawView();
  remember();
}

function drawView() {
  const answer = state.answers[state.view];
  find("view-panel").setAttribute("aria-busy", String(!state.fresh.has(state.view) && !problems.run));
  find("view-panel").replaceChildren(...(answer ? draw(state.view, answer, (place) => editor.go(place)) : []));
}

function drawGates(gates) {
  const known = new Set(gates.map((gate) => gate.name));
  const unknown = Object.keys(state.featureGates).filter((name) => !known.has(name));
  const rows = [...gates, ...unknown.map((name) => ({ name, stage: "not in this minor", default: false, locked: false }))];
  find("gate-list").replaceChildren(...rows.map(gateRow));
  const number = Object.keys(state.featureGates).length;
  find("gates-summary").textContent = number ? `Feature gates (${counted(number, "override")})` : "Feature gates";
}

function gateRow(gate) {
  const setting = state.featureGates[gate.name];
  const box = make("input", { type: "checkbox", checked: setting ?? gate.default, disabled: gate.locked && setting === undefined });
  box.addEventListener("change", () => {
    delete state.featureGates[gate.name];
    if (box.checked !== gate.default) state.featureGates[gate.name] = box.checked;
    label.className = box.checked === gate.default ? "" : "changed";
    changed();
  });
  const note = `${gate.stage}, ${gate.default ? "on" : "off"} by default${gate.locked ? ", locked" : ""}`;
  const text = make("span", {}, gate.name, " ", make("small", {}, note));
  const label = make("label", { className: setting === undefined ? "" : "changed", title: gate.purpose ?? "" }, box, text);
  return make("li", {}, label);
}

/** Show a world: that of a link, or an example. */
function load(found) {
  state.kubeVersion = found.kubeVersion ?? "";
  state.featureGates = { ...found.featureGates };
  state.view = VIEWS.some((view) => view.id === found.view) ? found.view : "findings";
  state.answers = {};
  editor.load(found.files);
  drawMinors();
  drawTabs();
  drawView();
  clearTimeout(timer);
  run();
}

function drawMinors() {
  const known = settings.minors.map((minor) => ({ value: minor.version === settings.newest ? "" : minor.version, title: minor.title }));
  if (state.kubeVersion === settings.newest) state.kubeVersion = "";
  if (!known.some((minor) => minor.value === state.kubeVersion)) known.push({ value: state.kubeVersion, title: state.kubeVersion });
  const options = known.map(({ value, title }) => make("option", { value }, title));
  find("minor").replaceChildren(...options);
  find("minor").value = state.kubeVersion;
}

/** Show what the fragment of the URL holds; false if it holds nothing. */
async function loadFragment() {
  try {
    const found = await decode(location.hash);
    if (found === null) return false;
    report("link", "");
    load(found);
    return true;
  } catch (error) {
    const message = error instanceof FragmentError ? error.message : String(error);
    report("link", `The link cannot be opened: ${message}.`);
    return false;
  }
}

async function copyLink() {
  clearTimeout(timer);
  await remember();
  try {
    await navigator.clipboard.writeText(location.href);
    say("Link copied.");
  } catch {
    say("Copy the link from the address bar of the browser.");
  }
}

async function keepForOffline() {
  try {
    await navigator.serviceWorker?.register(new URL("./service-worker.js", import.meta.url));
  } catch {
    // Some browsers keep nothing in private windows; the page works without.
  }
}

async function begin() {
  settings = await (await fetch(new URL("./settings.json", import.meta.url))).json();
  find("version").textContent = `dractl ${settings.dractl}. `;
  find("example").append(...settings.examples.map(({ title }, index) => make("option", { value: String(index) }, title)));
  find("example").addEventListener("change", (event) => {
    const example = settings.examples[event.target.value];
    event.target.value = "";
    if (example === undefined) return;
    report("link", "");
    load(example);
    remember();
  });
  find("minor").addEventListener("change", (event) => {
    state.kubeVersion = event.target.value;
    changed();
  });
  find("reset-gates").addEventListener("click", () => {
    state.featureGates = {};
    changed();
  });
  find("link").addEventListener("click", copyLink);
  window.addEventListener("hashchange", () => {
    if (location.hash !== ownFragment) loadFragment();
  });
  if (!(await loadFragment())) load(settings.examples[0]);
}

begin().catch((error) => report("run", `The page cannot start: ${error.message}`));
