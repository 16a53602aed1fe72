// Draws the answers of dractl. All that they hold comes from the manifests, and is shown as text.
import { broken, counted, make } from "./dom.js";

const MOST_ROWS = 500;

/** The views in the order of their tabs. */
export const VIEWS = [
  { id: "findings", label: "Findings" },
  { id: "placements", label: "Placements" },
  { id: "why", label: "Pending" },
  { id: "selectors", label: "Selectors" },
  { id: "picture", label: "Picture" },
];

/** The number in the tab of a view, and how bad it is. */
export function countOf(view, answer) {
  if (view === "findings") {
    const { errors, warnings } = answer.summary;
    return { count: answer.listed.length, tone: errors ? "error" : warnings ? "warning" : "" };
  }
  if (view === "placements") return { count: answer.placements.length };
  if (view === "why") return { count: answer.pending.length, tone: answer.pending.length ? "warning" : "" };
  if (view === "selectors") return { count: answer.selectors.length };
  return {};
}

/** The content of a view; `go` moves the editor to a place { file, line, column }. */
export function draw(view, answer, go) {
  return DRAWN[view](answer, go);
}

const DRAWN = { findings, placements, why, selectors, picture };

function verdict(text, tone = "") {
  return make("p", { className: `verdict ${tone}` }, text);
}

function placeOf(location, go) {
  if (!location || !location.line) return null;
  const text = `${location.file}:${location.line}`;
  return make("button", { type: "button", className: "place", onclick: () => go(location) }, text);
}

function list(items) {
  const shown = items.slice(0, MOST_ROWS);
  const more = items.length - shown.length;
  const last = more > 0 ? [make("li", { className: "soft" }, `${more.toLocaleString("en")} more not shown`)] : [];
  return make("ul", { className: "list" }, ...shown, ...last);
}

function item(tone, ...children) {
  return make("li", { className: `item ${tone}` }, ...children);
}

function findings(answer, go) {
  const { errors, warnings, objects, skipped, prototypes = 0, unlisted = 0 } = answer.summary;
  const tone = errors ? "error" : warnings ? "warning" : "ok";
  const parts = [make("p", { className: `verdict ${tone}` }, `${counted(errors, "error")}, ${counted(warnings, "warning")} in ${counted(objects, "object")}`)];
  if (skipped) parts.push(make("p", { className: "soft" }, `${counted(skipped, "document")} skipped`));
  if (objects + skipped + prototypes === 0) parts.push(make("p", { className: "soft" }, "The files hold no Kubernetes object."));
  const items = answer.listed.map((number) => finding(answer.findings[number], go));
  if (items.length) parts.push(list(items));
  if (unlisted) parts.push(make("p", { className: "soft" }, `${counted(unlisted, "more finding")} not listed`));
  const caused = answer.findings.filter((one) => one.cause).length;
  if (caused) parts.push(make("p", { className: "soft" }, `${counted(caused, "finding")} caused by these not shown`));
  return parts;
}

function finding(found, go) {
  const id = found.detail || found.rule;
  const object = found.object ? `${found.object.kind} ${found.object.name}` : "";
  return item(
    found.severity,
    make("p", {}, make("b", {}, found.severity), " ", placeOf(found.location, go) ?? "", " ", make("span", { className: "soft" }, object)),
    make("p", {}, make("code", {}, found.field), found.field ? ": " : "", found.message),
    found.hint ? make("p", { className: "soft" }, found.hint) : null,
    make("p", { className: "soft" }, "Rule ", ruleLink(id, found.url)),
  );
}

function ruleLink(id, url) {
  if (typeof url !== "string" || !url.startsWith("https://")) return make("code", {}, id);
  return make("a", { href: url, rel: "noreferrer", target: "_blank" }, id);
}

function table(caption, heads, rows) {
  const shown = rows.slice(0, MOST_ROWS);
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  const body = shown.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, ...[cell].flat()))));
  const parts = [make("table", {}, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...body))];
  if (rows.length > shown.length) parts.push(make("p", { className: "soft" }, `${(rows.length - shown.length).toLocaleString("en")} more rows not shown`));
  return make("div", { className: "wide" }, ...parts);
}

function small(text) {
  return text ? make("small", {}, text) : "";
}

function placements(answer) {
  const tone = answer.pending.length || answer.leftOut.length ? "warning" : "ok";
  const parts = [verdict(answer.verdict, tone)];
  const rows = answer.placements.map((row) => [
    [...broken(row.pod ?? "no pod"), small(row.container ? `container ${row.container}` : "")],
    [...broken(row.claim), small(`request ${row.request}`)],
    [row.node ?? ""],
    [...broken(`${row.driver}/${row.pool}/${row.device}`), small(notesOf(row))],
  ]);
  if (rows.length) parts.push(table("Which device goes to which container", ["Pod", "Claim", "Node", "Device"], rows));
  const left = answer.leftOut.map((row) => item("error", make("p", {}, make("b", {}, "left out"), " ", titleOf(row.object), ": ", row.reason)));
  const evicted = answer.evictions.map((row) => item("warning", make("p", {}, make("b", {}, "evicted"), " ", textOf(row))));
  const notes = answer.notes.map((row) => item(row.severity ?? "info", make("p", {}, row.message ?? textOf(row))));
  if (left.length + evicted.length + notes.length) parts.push(list([...left, ...evicted, ...notes]));
  return parts;
}

function notesOf(row) {
  const consumed = Object.entries(row.consumedCapacity ?? {}).map(([name, value]) => `${name} ${value}`);
  return [...consumed, row.adminAccess ? "admin access" : ""].filter(Boolean).join(", ");
}

function titleOf(object) {
  return [object.kind, [object.namespace, object.name].filter(Boolean).join("/")].filter(Boolean).join(" ");
}

function textOf(row) {
  return Object.entries(row).map(([key, value]) => `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ");
}

function why(answer) {
  if (answer.pending.length === 0) return [verdict("Nothing is Pending.", "ok")];
  const parts = [verdict(`${answer.pending.length.toLocaleString("en")} Pending`, "warning")];
  for (const entry of answer.pending.slice(0, MOST_ROWS)) {
    const like = entry.like ? `, as ${entry.like}` : "";
    parts.push(make("h3", {}, entry.subject, make("small", { className: "soft" }, ` ${entry.category ?? ""}${like}`)));
    for (const line of entry.text) parts.push(make("p", { className: "lines" }, line));
  }
  return parts;
}

function selectors(answer, go) {
  const parts = [verdict(`${counted(answer.selectors.length, "selector")}, ${counted(answer.devices, "device")}`)];
  const rows = answer.selectors.map((row) => [
    [make("code", {}, row.expression), small(row.object), placeOf(row, go) ?? "", row.error ? make("p", { className: "error" }, row.error) : ""],
    [make("span", { className: "number" }, `${row.matched} of ${answer.devices}`)],
    [devices(row)],
  ]);
  if (rows.length) parts.push(table("Which devices each selector selects, by itself", ["Selector", "Selects", "Devices"], rows));
  if (answer.cut) parts.push(make("p", { className: "warning" }, answer.cut));
  if (answer.leftOut.length) parts.push(list(answer.leftOut.map((text) => item("error", make("p", {}, text)))));
  return parts;
}

function devices(row) {
  const chosen = [...row.selected];
  if (row.matched > chosen.length) chosen.push(`${(row.matched - chosen.length).toLocaleString("en")} more`);
  const parts = chosen.length ? [make("ul", {}, ...chosen.map((name) => make("li", {}, ...broken(name))))] : ["none"];
  if (row.failed) {
    const failures = row.failures.map((one) => make("li", {}, ...broken(one.device), ": ", one.message));
    parts.push(make("details", {}, make("summary", {}, `fails for ${counted(row.failed, "device")}`), make("ul", {}, ...failures)));
  }
  return make("div", {}, ...parts);
}

let shownPicture = "";

/** The page that dractl writes, in a frame in which no script runs. */
function picture(answer) {
  URL.revokeObjectURL(shownPicture);
  if (answer.html === null) return [verdict("The files publish no device.")];
  shownPicture = URL.createObjectURL(new Blob([answer.html], { type: "text/html;charset=utf-8" }));
  const frame = make("iframe", { title: "Devices and who has them", src: shownPicture });
  frame.setAttribute("sandbox", "");
  return [frame];
}
