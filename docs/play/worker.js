// Runs dractl: answers each message { id, request } with { id, answer } or { id, failure }.
import { loadPyodide } from "./python/pyodide.mjs";
import { install, unpacked } from "./python.js";

const FOLDER = new URL("./python/", import.meta.url).href;
const WASM = `${FOLDER}pyodide.asm.wasm`;

// Many servers compress no WebAssembly, so that the page brings it compressed; Pyodide asks for its usual name.
const fetchFile = self.fetch.bind(self);
const wasm = fetchFile(`${WASM}.packed`).then(unpacked);
self.fetch = async (resource, options) => {
  const url = String(resource instanceof Request ? resource.url : resource);
  if (url !== WASM) return fetchFile(resource, options);
  return new Response(await wasm, { headers: { "Content-Type": "application/wasm" } });
};

async function start() {
  const [python, archive] = await Promise.all([
    loadPyodide({ indexURL: FOLDER, packageBaseUrl: FOLDER }),
    fetchFile(`${FOLDER}dractl.packed`).then(unpacked),
    wasm, // Pyodide only logs its absence, and waits
  ]);
  return install(python, archive);
}

const started = start();
started.then(
  () => self.postMessage({ ready: true }),
  (error) => self.postMessage({ ready: false, failure: String(error?.message ?? error) }),
);

self.onmessage = async ({ data: { id, request } }) => {
  const run = await started;
  try {
    self.postMessage({ id, answer: run(request) });
  } catch (error) {
    // The last line of a traceback names the exception.
    const lines = String(error?.message ?? error).trim().split("\n");
    self.postMessage({ id, failure: lines[lines.length - 1].slice(0, 500) });
  }
};
