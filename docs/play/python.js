// Puts dractl into a Python that is running already; in the browser and in Node.js alike.

const ROOT = "/dractl";

/** The bytes of a response; unpacked, if they are packed: a server may have done it already. */
export async function unpacked(response) {
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Write the files of dractl's archive, and return the function from a JSON request to a JSON answer. */
export function install(python, archive) {
  const end = archive.indexOf(10);
  const files = JSON.parse(new TextDecoder().decode(archive.subarray(0, end)));
  let at = end + 1;
  let folder = "";
  for (const [name, size] of files) {
    const path = `${ROOT}/${name}`;
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (parent !== folder) python.FS.mkdirTree(parent);
    folder = parent;
    python.FS.writeFile(path, archive.subarray(at, at + size));
    at += size;
  }
  python.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(ROOT)})`);
  return python.pyimport("dractl.play").run_text;
}
