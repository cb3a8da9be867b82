import type { CDPSession, Page, Worker } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

test.use({ spec: "app", serviceWorkers: "allow" });

/** Waits until the portal's worker serves this page. */
async function untilServed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { serviceWorker } = navigator;
    if (!serviceWorker.controller)
      await new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve));
  });
}

test("can be installed: the manifest with its icons, and a worker of its own, which the sign-in page does not need", async ({
  page,
  signIn,
}) => {
  await page.goto("/");
  const href = await page.locator('link[rel="manifest"]').getAttribute("href");
  const answer = await page.request.get(href ?? "");
  expect(answer.headers()["content-type"]).toContain("application/manifest+json");
  const manifest = await answer.json();
  expect(manifest).toMatchObject({
    name: "Lead Desk",
    start_url: "/",
    scope: "/",
    display: "standalone",
    lang: "en",
  });
  for (const { src, sizes, type } of manifest.icons) {
    expect((await page.request.get(src)).headers()["content-type"]).toBe(type);
    const size = await page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    if (sizes !== "any") expect(size).toBe(sizes);
  }
  const purposes = manifest.icons.map(({ sizes, purpose }: Record<string, string>) => `${sizes} ${purpose}`);
  expect(purposes).toEqual(expect.arrayContaining(["192x192 any", "512x512 any", "512x512 maskable"]));
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);

  await signIn("ana");
  await untilServed(page);
  const cdp = await page.context().newCDPSession(page);
  expect((await cdp.send("Page.getAppManifest")).errors).toEqual([]);
  // What Chromium wants before it offers to install.
  expect((await cdp.send("Page.getInstallabilityErrors")).installabilityErrors).toEqual([]);
});

test("without a network a page says so, in the person's language, and comes by itself afterwards; nothing of anybody is kept", async ({
  page,
  signIn,
  consoleWatch,
}) => {
  consoleWatch.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/);
  await signIn("ana");
  await untilServed(page);
  await page.goto("/reports");
  await expect(page.getByRole("heading", { name: "Reports & Analytics" })).toBeVisible();
  await page.context().setOffline(true);
  await page.goto("/leads/1?from=/all-leads");
  await expect(page.getByRole("heading", { name: "No network" })).toBeVisible();
  await page.evaluate(() => localStorage.setItem("lead-desk.language", "es"));
  await page.reload();
  await expect(page.getByRole("heading", { name: "Sin conexión" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Reintentar" })).toBeVisible();
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const shells = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return shells.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept.sort()).toEqual(["/offline.html", "/offline.js"]);
  await page.context().setOffline(false);
  await expect(page.getByRole("button", { name: "menú de la cuenta" })).toBeVisible();

  // What PORTAL_WORKER=off sends in the worker's place takes all of it away; on a page that asks for no worker, as all do then.
  await page.goto("/offline.html");
  await page.evaluate(() => navigator.serviceWorker.register("/portal-worker-off.js"));
  const left = () =>
    page.evaluate(async () => [
      (await navigator.serviceWorker.getRegistrations()).length,
      (await caches.keys()).length,
    ]);
  await expect.poll(left).toEqual([0, 0]);
});

/** Has Chromium deliver a push message, as its push service would. */
async function openPush(page: Page, origin: string) {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  const { promise, resolve } = Promise.withResolvers<string>();
  cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    const own = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
    if (own) resolve(own.registrationId);
  });
  await cdp.send("ServiceWorker.enable");
  const registrationId = await promise;
  return (data: object | string) =>
    cdp.send("ServiceWorker.deliverPushMessage", {
      origin,
      registrationId,
      data: typeof data === "string" ? data : JSON.stringify(data),
    });
}

/** What the worker shows and what of it is on screen; the tests' Chromium has no place for notifications and would refuse to show any. */
interface Screen {
  shown: { title: string; body: string; tag: string; data: unknown }[];
}

/** Watches what the portal's worker shows. */
async function watchScreen(page: Page): Promise<{ worker: Worker; shown: () => Promise<Screen["shown"]> }> {
  const worker = page.context().serviceWorkers()[0];
  if (!worker) throw new Error("no worker");
  await worker.evaluate(() => {
    const own = globalThis as unknown as Screen & { registration: ServiceWorkerRegistration };
    own.shown = [];
    Object.assign(own.registration, {
      getNotifications: async ({ tag }: { tag: string }) => own.shown.filter((each) => each.tag === tag),
      showNotification: async (title: string, { body, tag, data }: Screen["shown"][number]) => {
        own.shown = [...own.shown.filter((each) => !tag || each.tag !== tag), { title, body, tag, data }];
      },
    });
  });
  return { worker, shown: () => worker.evaluate(() => (globalThis as unknown as Screen).shown) };
}

test("a push shows a notification, once, with the words that a page had for it, and a press on it leads there in that page", async ({
  page,
  signIn,
  portal,
}) => {
  await signIn("ana");
  await untilServed(page);
  const { worker, shown } = await watchScreen(page);
  const deliver = await openPush(page, portal.url);
  const text = { title: "New text from a lead", body: "", tag: "text-7" };
  const asShown = { ...text, data: { url: "/leads/3" } };
  await deliver({ ...text, url: "/leads/3" });
  await expect.poll(shown).toEqual([asShown]);
  // The same again takes its place.
  await deliver({ ...text, url: "/leads/3" });
  await deliver({ title: "Missed call from a lead", body: "", tag: "missed-call-9", url: "/call-history" });
  await expect
    .poll(async () => (await shown()).map(({ tag }) => tag).sort())
    .toEqual(["missed-call-9", "text-7"]);

  const named = {
    title: "New text from Rosa Díaz",
    body: "¿Hola?",
    tag: "text-8",
    data: { url: "/leads/4" },
  };
  await worker.evaluate((each) => (globalThis as unknown as Screen).shown.push(each), named);
  await deliver({ ...text, tag: "text-8", url: "/leads/4" });
  await deliver("not ours");
  await expect.poll(async () => (await shown()).map(({ title }) => title)).toContain("Lead Desk");
  expect((await shown()).find(({ tag }) => tag === "text-8")).toEqual(named);

  const [lead] = await portal.query<{ id: number }>(
    "select l.id from leads l join users u on u.id = l.assigned_to where u.email = 'ana@portal.test' limit 1",
  );
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await worker.evaluate((url) => {
    const notification = { close: () => undefined, data: { url } };
    const pressed = Object.assign(new Event("notificationclick"), {
      notification,
      // The focus is given to a real press only.
      waitUntil: (done: Promise<unknown>) => done.catch(() => undefined),
    });
    globalThis.dispatchEvent(pressed);
  }, `/leads/${lead?.id}`);
  await expect(page).toHaveURL(`/leads/${lead?.id}`);
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
});

/** The browser has another address for this device; answers whether it forgets it again. */
function changeSubscription(worker: Worker, endpoint: string): Promise<boolean> {
  return worker.evaluate(async (address) => {
    const p256dh = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    let isForgotten = false;
    const newSubscription = {
      toJSON: () => ({ endpoint: address, keys: { p256dh, auth: "BTBZMqHH6r4Tts7J_aSIgg" } }),
      unsubscribe: async () => {
        isForgotten = true;
      },
    };
    const work: Promise<unknown>[] = [];
    const event = Object.assign(new Event("pushsubscriptionchange"), {
      newSubscription,
      waitUntil: (each: Promise<unknown>) => work.push(each),
    });
    globalThis.dispatchEvent(event);
    await Promise.all(work);
    return isForgotten;
  }, endpoint);
}

test("a new address of the browser is renewed for who turned push on, and forgotten where another has signed in", async ({
  page,
  signIn,
  portal,
}) => {
  await signIn("ana");
  await untilServed(page);
  const worker = page.context().serviceWorkers()[0];
  if (!worker) throw new Error("no worker");
  await portal.query(
    `insert into push_devices (session_id, endpoint, p256dh, auth)
     select max(s.id), 'https://fcm.googleapis.com/old', 'x', 'y' from sessions s join users u on u.id = s.user_id
     where u.email = 'ana@portal.test'`,
  );
  const addresses = async () =>
    (await portal.query<{ endpoint: string }>("select endpoint from push_devices")).map(
      ({ endpoint }) => endpoint,
    );
  expect(await changeSubscription(worker, "https://fcm.googleapis.com/fcm/send/new")).toBe(false);
  expect(await addresses()).toEqual(["https://fcm.googleapis.com/fcm/send/new"]);
  // Luis signs in where Ana's session goes on: her device stays hers, and this browser takes nothing for him.
  await page.context().clearCookies();
  await signIn("luis");
  expect(await changeSubscription(worker, "https://fcm.googleapis.com/fcm/send/third")).toBe(true);
  expect(await addresses()).toEqual(["https://fcm.googleapis.com/fcm/send/new"]);
});

test("Settings says that this browser blocks push, and keeps whether names may be shown", async ({
  page,
  signIn,
}) => {
  await signIn("ana", "/settings");
  await expect(page.getByText("This browser blocks them for this site.").last()).toBeVisible();
  const names = page.getByRole("switch", { name: "Show names and words in push notifications" });
  await expect(names).not.toBeChecked();
  await names.click();
  await page.getByRole("button", { name: "Save Notification Settings" }).click();
  await expect(page.getByText("Your notification settings have been saved.")).toBeVisible();
  await page.reload();
  await expect(names).toBeChecked();
});
