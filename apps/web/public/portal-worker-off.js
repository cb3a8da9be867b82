// Served in place of the worker if PORTAL_WORKER is off: removes the worker and its stored files from the browser.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  event.waitUntil(end());
});

async function end() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
