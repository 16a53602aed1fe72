// Compile the modules of ZIP archives with Pyodide: node compile.mjs PYODIDE COMPILING.py (FROM TO OPTIMIZE)...
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, program, ...archives] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: folder });
python.runPython(readFileSync(program, "utf8"));
for (let index = 0; index < archives.length; index += 3) {
  python.FS.writeFile("/from", readFileSync(archives[index]));
  const optimize = Number(archives[index + 2]);
  python.runPython(`with open("/from", "rb") as source, open("/to", "wb") as target: target.write(compiled(source.read(), ${optimize}))`);
  writeFileSync(archives[index + 1], python.FS.readFile("/to"));
}
