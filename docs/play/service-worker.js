// Keeps the files of the page, so that it works offline. The builder fills in the two lists.
const FILES = [];
const VERSION = "";

const PREFIX = `dractl-play ${self.registration.scope} `;
const CACHE = PREFIX + VERSION;
const known = new Set(["./", ...FILES].map((name) => new URL(name, self.registration.scope).href));

async function keep() {
  const cache = await caches.open(CACHE);
  // The server is asked whether what the browser has is still right, and sends nothing again if it is.
  await cache.addAll([...known].map((url) => new Request(url, { cache: "no-cache" })));
}

async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forget()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method === "GET" && known.has(url.origin + url.pathname)) event.respondWith(answer(event.request));
});
