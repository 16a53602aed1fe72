// The editor: files as tabs, a plain text area, next to line numbers with the marks of findings.
import { counted, make, showTabs } from "./dom.js";

const LINE = 20; // pixels, as in style.css (1.25rem)
const MOST_MARKS = 500;
const RANKS = { error: 0, warning: 1, info: 2 };

export class Editor {
  lines = 1;
  files = [{ name: "manifests.yaml", text: "" }];
  #at = 0;
  #findings = [];

  /** `onChange` is called after each change of the files. */
  constructor(onChange) {
    this.onChange = onChange;
    const find = (id) => document.getElementById(id);
    [this.list, this.panel, this.area, this.name, this.numbers, this.marks, this.gutter, this.remove] = [
      "files", "file-panel", "editor", "file-name", "numbers", "marks", "gutter", "remove-file",
    ].map(find);
    this.area.addEventListener("input", () => {
      this.files[this.#at].text = this.area.value;
      this.#count();
      this.onChange();
    });
    this.area.addEventListener("scroll", () => this.#follow());
    window.addEventListener("resize", () => this.#follow());
    this.name.addEventListener("change", () => this.#rename());
    this.remove.addEventListener("click", () => this.#remove());
    find("add-file").addEventListener("click", () => this.#add());
  }

  /** Replace all files. */
  load(files) {
    this.files = files.length ? files.map((file) => ({ ...file })) : [{ name: "manifests.yaml", text: "" }];
    this.#findings = [];
    this.#choose(0);
  }

  /** Mark the lines of findings, each with a `location` and a `severity`. */
  mark(findings) {
    this.#findings = findings;
    this.#drawTabs();
    this.#drawMarks();
  }

  /** Move the cursor to a place, and show it. */
  go({ file, line, column = 1 }) {
    const index = this.files.findIndex((one) => one.name === file);
    if (index < 0) return;
    if (index !== this.#at) this.#choose(index);
    const lines = this.area.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(start + column - 1, start + (lines[line - 1] ?? "").length);
    this.area.scrollTop = Math.max(0, (line - 4) * LINE);
    this.area.scrollLeft = 0;
    this.#follow();
  }

  #choose(index) {
    this.#at = index;
    const file = this.files[index];
    this.area.value = file.text;
    this.name.value = file.name;
    this.remove.disabled = this.files.length === 1;
    this.area.scrollTop = 0;
    this.#drawTabs();
    this.#drawMarks();
    this.#count();
    this.#follow();
  }

  #rename() {
    const name = this.name.value.trim();
    const isTaken = this.files.some((file, index) => index !== this.#at && file.name === name);
    if (name === "" || isTaken) {
      this.name.value = this.files[this.#at].name;
      return;
    }
    this.files[this.#at].name = name;
    this.#drawTabs();
    this.onChange();
  }

  #add() {
    let number = this.files.length + 1;
    while (this.files.some((file) => file.name === `file-${number}.yaml`)) number += 1;
    this.files.push({ name: `file-${number}.yaml`, text: "" });
    this.#choose(this.files.length - 1);
    this.area.focus();
    this.onChange();
  }

  #remove() {
    this.files.splice(this.#at, 1);
    this.#choose(Math.max(0, this.#at - 1));
    this.area.focus();
    this.onChange();
  }

  #of(file) {
    return this.#findings.filter((finding) => finding.location?.file === file.name && finding.location.line > 0);
  }

  #drawTabs() {
    const tabs = this.files.map((file, index) => {
      const found = this.#of(file).filter((finding) => finding.severity !== "info");
      const tone = found.some((finding) => finding.severity === "error") ? "error" : "warning";
      return { id: index, label: file.name, count: found.length || undefined, tone };
    });
    showTabs(this.list, this.panel, tabs, this.#at, (index) => this.#choose(index));
  }

  /** Draw the numbers of the lines that can be seen: a file may have more lines than a browser draws in time. */
  #drawNumbers() {
    const first = Math.floor(this.area.scrollTop / LINE);
    const seen = Math.ceil(this.area.clientHeight / LINE) + 1;
    const last = Math.min(this.lines, first + seen);
    this.numbers.textContent = Array.from({ length: last - first }, (_, index) => first + index + 1).join("\n");
    this.numbers.style.transform = `translateY(${first * LINE - this.area.scrollTop}px)`;
  }

  #drawMarks() {
    const worst = new Map();
    const sorted = [...this.#of(this.files[this.#at])].sort((one, two) => RANKS[one.severity] - RANKS[two.severity]);
    for (const finding of sorted) {
      const { line } = finding.location;
      worst.set(line, { severity: worst.get(line)?.severity ?? finding.severity, number: (worst.get(line)?.number ?? 0) + 1 });
    }
    const marks = [...worst].slice(0, MOST_MARKS).map(([line, { severity, number }]) => {
      const mark = make("div", { className: `mark ${severity}`, title: counted(number, "finding") }, severity === "error" ? "✗" : "!");
      mark.style.top = `calc(.5rem + ${line - 1} * 1.25rem)`;
      return mark;
    });
    this.marks.replaceChildren(...marks);
  }

  #count() {
    this.lines = this.area.value.split("\n").length;
    this.#drawNumbers();
  }

  #follow() {
    this.#drawNumbers();
    this.marks.style.transform = `translateY(${-this.area.scrollTop}px)`;
  }
}
