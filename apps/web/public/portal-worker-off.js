// What the server sends in the worker's place where PORTAL_WORKER is off: it takes the worker and what it kept away from the browser.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  event.waitUntil(end());
});

async function end() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
