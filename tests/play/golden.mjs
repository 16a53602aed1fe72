// Answer requests with the Python of a playground: node golden.mjs FOLDER REQUESTS > HASHES, a line each.
import { createHash } from "node:crypto";
import { mkdtempSync, copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const folder = resolve(process.argv[2]);
const scratch = mkdtempSync(join(tmpdir(), "play-"));
for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "python_stdlib.zip", "pyodide-lock.json"]) {
  copyFileSync(join(folder, "python", name), join(scratch, name));
}
writeFileSync(join(scratch, "pyodide.asm.wasm"), gunzipSync(readFileSync(join(folder, "python", "pyodide.asm.wasm.packed"))));
const { install } = await import(`data:text/javascript;base64,${readFileSync(join(folder, "python.js")).toString("base64")}`);
const { loadPyodide } = await import(pathToFileURL(join(scratch, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: scratch });
const run = install(python, new Uint8Array(gunzipSync(readFileSync(join(folder, "python", "dractl.packed")))));
rmSync(scratch, { recursive: true });
for (const line of readFileSync(process.argv[3], "utf8").split("\n").filter(Boolean)) {
  let answer;
  try {
    answer = run(line);
  } catch (error) {
    answer = String(error?.message ?? error).trim().split("\n").at(-1);
    process.stderr.write(`${answer.slice(0, 300)}\n`);
  }
  process.stdout.write(`${createHash("sha256").update(answer, "utf8").digest("hex")}\n`);
}
