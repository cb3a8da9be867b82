// The portal's only service worker: shows push notifications, and an offline page if a page cannot be loaded. It stores two files of its
// own and nothing else, neither pages of the portal nor responses of its API. docs/operations.md describes how to remove it.

const SHELL = "lead-desk-shell-1";
const SHELL_PAGE = "/offline.html";
const SHELL_SCRIPT = "/offline.js";
const PRODUCT_NAME = "Lead Desk";
const ICON = "/icons/icon-192.png";
/** Time in ms for an open page to respond; after it a new page is opened. */
const answerMs = 1_000;

// A new version waits until a page without a call allows it to start (src/features/notifications/portal-worker.ts).
self.addEventListener("message", ({ data }) => {
  if (data === "take-over") self.skipWaiting();
});

self.addEventListener("install", (event) => {
  const files = [SHELL_PAGE, SHELL_SCRIPT].map(
    (path) => new Request(path, { cache: "reload", credentials: "omit" }),
  );
  event.waitUntil(caches.open(SHELL).then((shell) => shell.addAll(files)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(begin());
});

async function begin() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name)));
  // The page is requested while the worker starts, so that the worker slows no page down.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request, preloadResponse } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(fromNetwork(request, preloadResponse, SHELL_PAGE));
  else if (pathname === SHELL_SCRIPT) event.respondWith(fromNetwork(request, null, SHELL_SCRIPT));
});

async function fromNetwork(request, preloaded, kept) {
  try {
    return (await preloaded) ?? (await fetch(request));
  } catch {
    return (await caches.match(kept)) ?? Response.error();
  }
}

self.addEventListener("push", (event) => {
  event.waitUntil(show(contentOf(event.data)));
});

function contentOf(data) {
  try {
    const { title, body, tag, url } = data.json();
    return {
      title: String(title),
      body: String(body ?? ""),
      tag: String(tag ?? ""),
      url: String(url ?? "/"),
    };
  } catch {
    return { title: PRODUCT_NAME, body: "", tag: "", url: "/" };
  }
}

/**
 * A page of the portal may have shown the same notification with more text, which is then kept. Browsers require each push to show
 * something.
 */
async function show({ title, body, tag, url }) {
  const [known] = tag ? await self.registration.getNotifications({ tag }) : [];
  await self.registration.showNotification(known?.title ?? title, {
    body: known?.body ?? body,
    tag,
    data: { url },
    icon: ICON,
    badge: ICON,
  });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data?.url ?? "/"));
});

/**
 * Opens it in an open page of the portal, by navigating without a reload, because there may be a call on that page; otherwise in a new
 * page.
 */
async function openPage(url) {
  const wanted = new URL(url, self.location.origin);
  const path = wanted.origin === self.location.origin ? wanted.pathname + wanted.search : "/";
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const client of windows.sort((a, b) => Number(b.focused) - Number(a.focused)))
    if (await goesThere(client, path)) return client.focus();
  return self.clients.openWindow(path);
}

function goesThere(client, path) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), answerMs);
    port1.onmessage = () => {
      clearTimeout(timer);
      resolve(true);
    };
    client.postMessage({ open: path }, [port2]);
  });
}

// The browser has another address for this device. The signed-in user may not be the one who enabled notifications: if the portal does not
// renew the address, the browser removes it, and the page subscribes again when its user is back.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew(event));
});

async function renew({ newSubscription, oldSubscription }) {
  const subscription =
    newSubscription ??
    (oldSubscription && (await self.registration.pushManager.subscribe(oldSubscription.options)));
  if (!subscription) return;
  const { status } = await fetch("/api/push/devices", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ ...subscription.toJSON(), isRenewal: true }),
  });
  if (status >= 400 && status < 500) await subscription.unsubscribe();
}
