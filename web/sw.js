// The service worker: the page opens without a network, too. The server is always asked first, so a new
// version is seen at once; what it answered last is kept for when it does not answer. Games and values
// are never kept.

const SHELL = "malpan-shell";

// Where there is no server, everything is kept at once: the list is made with the site.
async function keepAll() {
  const cache = await caches.open(SHELL);
  await cache.addAll(await (await fetch("files.json")).json());
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  if (location.search) event.waitUntil(keepAll());
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function answer(request) {
  const cache = await caches.open(SHELL);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const isShell = event.request.method === "GET" && origin === location.origin && (pathname === "/api/games" || !pathname.startsWith("/api/")) && pathname !== "/metrics";
  if (isShell) event.respondWith(answer(event.request));
});
