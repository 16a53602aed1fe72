// The world of the page as the fragment of its URL: "#v1." and the base64url of deflated JSON.

const PREFIX = "#v1.";
export const MOST_BYTES = 1 << 20;
const MOST_CHARACTERS = 2 * MOST_BYTES;
const MOST_FILES = 50;

/** A fragment that cannot be used; its message is for the reader. */
export class FragmentError extends Error {}

/** The fragment of a world, or null if the world is larger than a fragment may be. */
export async function encode(world) {
  const bytes = new TextEncoder().encode(JSON.stringify(world));
  if (bytes.length > MOST_BYTES) return null;
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const content = new Uint8Array(await new Response(packed).arrayBuffer());
  let binary = "";
  for (let at = 0; at < content.length; at += 8192) binary += String.fromCharCode(...content.subarray(at, at + 8192));
  return PREFIX + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The world of a fragment, or null without one; raises FragmentError. */
export async function decode(fragment) {
  if (fragment === "" || fragment === "#") return null;
  if (!fragment.startsWith(PREFIX)) throw new FragmentError("the link does not start with #v1.; is it complete?");
  if (fragment.length > MOST_CHARACTERS) throw new FragmentError("the link is too long");
  const text = await inflate(bytesOf(fragment.slice(PREFIX.length)));
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FragmentError("the link does not hold JSON");
  }
  return worldOf(value);
}

function bytesOf(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new FragmentError("the link has characters that are not base64url");
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    throw new FragmentError("the link is cut off or damaged");
  }
}

async function inflate(bytes) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  let text = "";
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.length;
      if (size > MOST_BYTES) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    throw new FragmentError("the link is cut off or damaged");
  }
  reader.cancel().catch(() => {});
  throw new FragmentError("the link holds more than 1 MiB");
}

/** The known members of a decoded value; others are ignored. */
export function worldOf(value) {
  if (!isObject(value) || !Array.isArray(value.files)) throw new FragmentError("the link has no list of files");
  if (value.files.length > MOST_FILES) throw new FragmentError(`the link has more than ${MOST_FILES} files`);
  const files = value.files.map((file) => {
    if (!isObject(file) || typeof file.name !== "string" || typeof file.text !== "string") {
      throw new FragmentError("each file of the link must have a name and text");
    }
    return { name: file.name.slice(0, 1000), text: file.text.replaceAll("\r\n", "\n") };
  });
  const world = { files };
  if (value.kubeVersion !== undefined) {
    if (typeof value.kubeVersion !== "string") throw new FragmentError("kubeVersion of the link must be a string");
    world.kubeVersion = value.kubeVersion.slice(0, 40);
  }
  if (value.featureGates !== undefined) {
    const gates = value.featureGates;
    if (!isObject(gates) || Object.values(gates).some((setting) => typeof setting !== "boolean")) {
      throw new FragmentError("featureGates of the link must be true or false");
    }
    world.featureGates = gates;
  }
  if (typeof value.view === "string") world.view = value.view;
  return world;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
