import type { CDPSession, Locator, Page, Worker } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, type Portal, startSession, test } from "./fixtures.ts";

test.use({ spec: "app", serviceWorkers: "allow" });

/**
 * Waits until the service worker controls later page loads. A page that loads while the worker starts is not controlled and has no
 * `controller`.
 */
async function untilServed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

/** The service worker, once the browser has reported it. */
async function workerOf(page: Page): Promise<Worker> {
  const context = page.context();
  return context.serviceWorkers()[0] ?? context.waitForEvent("serviceworker");
}

test("the app can be installed, with a manifest, icons and a worker that the sign-in page does not need", async ({
  page,
  signIn,
}) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
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
  // Chromium's requirements for offering an installation.
  const wanted = async () => (await cdp.send("Page.getInstallabilityErrors")).installabilityErrors;
  await expect.poll(wanted).toEqual([]);
});

test("a page without a network says so in the user's language, loads when the network returns, and caches no personal data", async ({
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

  // PORTAL_WORKER=off serves a script in place of the worker that removes everything; on a page that registers no worker, as is then the
  // case everywhere.
  await page.goto("/offline.html");
  await page.evaluate(() => navigator.serviceWorker.register("/portal-worker-off.js"));
  const left = () =>
    page.evaluate(async () => [
      (await navigator.serviceWorker.getRegistrations()).length,
      (await caches.keys()).length,
    ]);
  await expect.poll(left).toEqual([0, 0]);
});

/** Makes Chromium deliver a push message like its push service. */
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

/** Notifications shown by the worker; simulated, because the tests' Chromium cannot display notifications and would refuse to. */
interface Screen {
  shown: { title: string; body: string; tag: string; data: unknown }[];
}

/** Records the worker's notifications, and lets a page take time to respond to the worker: after a second another page would be opened. */
async function watchScreen(page: Page): Promise<{ worker: Worker; shown: () => Promise<Screen["shown"]> }> {
  const worker = await workerOf(page);
  await worker.evaluate(() => {
    const own = globalThis as unknown as Screen & { registration: ServiceWorkerRegistration };
    own.shown = [];
    const { setTimeout } = globalThis;
    Object.assign(own, { setTimeout: (run: () => void, ms = 0) => setTimeout(run, 60 * ms) });
    Object.assign(own.registration, {
      getNotifications: async ({ tag }: { tag: string }) => own.shown.filter((each) => each.tag === tag),
      showNotification: async (title: string, { body, tag, data }: Screen["shown"][number]) => {
        own.shown = [...own.shown.filter((each) => !tag || each.tag !== tag), { title, body, tag, data }];
      },
    });
  });
  return { worker, shown: () => worker.evaluate(() => (globalThis as unknown as Screen).shown) };
}

test("a push shows one notification with the page's own text, and a press on it opens its address in that page", async ({
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
  // A notification with the same tag replaces the earlier one.
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
      // Only a real press may move the focus.
      waitUntil: (done: Promise<unknown>) => done.catch(() => undefined),
    });
    globalThis.dispatchEvent(pressed);
  }, `/leads/${lead?.id}`);
  await expect(page).toHaveURL(`/leads/${lead?.id}`);
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
});

/** Simulates another address of the browser for this device; returns whether the browser removes it. */
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

test("a changed push subscription is renewed for the user who enabled push, and dropped after another user signs in", async ({
  page,
  signIn,
  portal,
}) => {
  await signIn("ana");
  await untilServed(page);
  const worker = await workerOf(page);
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
  // Luis signs in while Ana's session continues: her device stays hers, and this browser registers nothing for him.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await signIn("luis");
  expect(await changeSubscription(worker, "https://fcm.googleapis.com/fcm/send/third")).toBe(true);
  expect(await addresses()).toEqual(["https://fcm.googleapis.com/fcm/send/new"]);
});

test("Settings reports that this browser blocks push, and saves whether names may be shown", async ({
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

const noNetwork = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource|ERR_NETWORK_CHANGED/;
const waiting = (page: Page, count: number) =>
  page.getByRole("button", { name: `${count} waiting to be sent`, exact: true });

/** Adds a lead of Ana's that was never called. */
async function addOwnLead(portal: Portal, name: string, phone: string): Promise<number> {
  const [lead] = await portal.query<{ id: number }>(
    `insert into leads (name, phone, phone_e164, search, assigned_to, assigned_at)
     select $1, $2, $2, lower($1), id, now() from users where email = 'ana@portal.test' returning id`,
    [name, phone],
  );
  return lead?.id ?? 0;
}

/** What the timeline contains of a person's entries: a change that was sent twice would be there twice. */
const said = (portal: Portal, leadId: number) =>
  portal.query<{ kind: string; field: string | null }>(
    `select kind, data ->> 'field' as field from lead_events
     where lead_id = $1 and user_id is not null and kind in ('outcome-confirmed', 'note-added', 'changed')
       and data ->> 'field' is distinct from 'status'
     order by id`,
    [leadId],
  );

/** Opens the list with the lead's panel, with all the code that is needed offline. */
async function openPanel(page: Page, id: number, name: string): Promise<Locator> {
  // The previous page loads the same code, which this one would then miss.
  await page.goto("about:blank");
  // The code of the forms and of the list loads after the page's content.
  const late = ["queue-dialog", "show-sent", "select-list", "day-calendar"].map((part) =>
    page.waitForResponse(new RegExp(`/assets/${part}-`)),
  );
  await page.goto(`/leads/${id}?from=/`);
  const panel = page.getByRole("dialog", { name, exact: true });
  await expect(panel.getByRole("combobox", { name: "Status" })).toBeVisible();
  const [parts] = await Promise.all([Promise.all(late), untilServed(page)]);
  // The modules that these parts import load after them.
  await page.evaluate(
    async (urls) => {
      for (const url of urls) await import(url);
    },
    parts.map((part) => part.url()),
  );
  await page.waitForLoadState("networkidle");
  return panel;
}

async function chooseStatus(page: Page, panel: Locator, status: string): Promise<void> {
  await panel.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: status, exact: true }).click();
  await panel.getByRole("button", { name: "Update Lead" }).click();
  // It is stored, its first attempt has failed, and the form has nothing left to save.
  await expect(panel.getByRole("button", { name: "Waiting to be sent" })).toBeVisible();
  await expect(panel.getByRole("button", { name: "Update Lead" })).toBeHidden();
}

test("outcome, note and follow-up saved without a network survive the page and are sent once, in order, when it returns", async ({
  page,
  signIn,
  portal,
  consoleWatch,
}) => {
  consoleWatch.allow(noNetwork);
  const id = await addOwnLead(portal, "Offline Lead", "+12125550122");
  await signIn("ana");
  const made = await page.request.post("/api/make-call", { data: { leadId: id, to: "+12125550122" } });
  expect(made.ok()).toBe(true);
  const log = () => portal.query("select outcome, confirmed from call_logs where lead_id = $1", [id]);
  await expect.poll(async () => (await log()).length).toBe(1);
  const panel = await openPanel(page, id, "Offline Lead");
  const outcomes = page.getByRole("region", { name: /Needs outcome/ });
  const call = outcomes.getByRole("listitem").filter({ hasText: "Offline Lead" });
  await expect(call).toBeVisible();

  await page.context().setOffline(true);
  await expect(page.getByText(/^Last updated \S/)).toBeVisible();
  await call.getByRole("button", { name: /Voicemail/ }).click();
  await expect(waiting(page, 1)).toBeVisible();
  await expect(call).toBeHidden();
  await panel.getByRole("textbox", { name: "Note", exact: true }).fill("Call after the holidays");
  await panel.getByRole("button", { name: "Add note" }).click();
  await expect(waiting(page, 2)).toBeVisible();
  await expect(panel.getByRole("textbox", { name: "Note", exact: true })).toHaveValue("");
  await panel.getByRole("button", { name: /Next Follow-up Date/ }).click();
  await page.getByRole("gridcell").locator("button:not([disabled])").last().click();
  await panel.getByRole("button", { name: "Update Lead" }).click();
  await expect(waiting(page, 3)).toBeVisible();
  await expect(panel.getByRole("button", { name: "Waiting to be sent" })).toBeVisible();

  await waiting(page, 3).click();
  const queue = page.getByRole("dialog", { name: "Waiting to be sent" });
  const entries = queue.getByRole("list", { name: "What waits" }).getByRole("listitem");
  await expect(entries).toHaveText([/Voicemail/, /Call after the holidays/, /Follow-up/]);
  await queue.getByRole("button", { name: "Send now" }).click();
  await expect(queue.getByText("The server does not answer yet.")).toBeVisible();
  await expectAccessible(page, { within: "[role=dialog]" });
  expect(await said(portal, id)).toEqual([]);

  // The page is closed like a tab; the page after it knows nothing of it.
  await page.reload();
  await expect(page.getByRole("heading", { name: "No network" })).toBeVisible();
  await page.context().setOffline(false);
  await expect.poll(async () => (await said(portal, id)).length).toBe(3);
  await expect(page.getByRole("button", { name: /waiting to be sent/ })).toHaveCount(0);
  await expect.poll(log).toEqual([{ outcome: "voicemail", confirmed: true }]);
  expect(await said(portal, id)).toEqual([
    { kind: "outcome-confirmed", field: null },
    { kind: "note-added", field: null },
    { kind: "changed", field: "nextFollowUpDate" },
  ]);
});

test("a conflict with a newer value is resolved by the user, and signing out with unsent changes asks first and deletes them", async ({
  page,
  signIn,
  portal,
  consoleWatch,
}) => {
  consoleWatch.allow(new RegExp(`${noNetwork.source}|409`));
  const id = await addOwnLead(portal, "Changed Lead", "+12125550125");
  const other = await addOwnLead(portal, "Second Lead", "+12125550126");
  await signIn("ana");
  const panel = await openPanel(page, id, "Changed Lead");
  await page.context().setOffline(true);
  await chooseStatus(page, panel, "Interested");
  await panel.getByRole("button", { name: "Close", exact: true }).click();
  await portal.query("update leads set status = 'qualified' where id = $1", [id]);
  await page.context().setOffline(false);
  const refused = page.getByRole("button", { name: "1 not saved", exact: true });
  await expect(refused).toBeVisible();
  const status = async (lead: number) =>
    (await portal.query<{ status: string }>("select status from leads where id = $1", [lead]))[0]?.status;
  expect(await status(id)).toBe("qualified");

  const signOut = async () => {
    await page.getByRole("button", { name: /account menu/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  };
  const question = page.getByRole("alertdialog", { name: "1 change is not saved yet" });
  await signOut();
  await question.getByRole("button", { name: "Stay signed in" }).click();
  await refused.click();
  const queue = page.getByRole("dialog", { name: "Waiting to be sent" });
  await expect(queue.getByText("This was changed meanwhile. Now:")).toBeVisible();
  await expect(queue.getByText("Qualified")).toBeVisible();
  await queue.getByRole("button", { name: "Save mine" }).click();
  await expect.poll(() => status(id)).toBe("interested");
  await expect(queue.getByText("Everything is sent.")).toBeVisible();
  await queue.getByRole("button", { name: "Close" }).first().click();

  await page.getByRole("link", { name: "Second Lead", exact: true }).click();
  const second = page.getByRole("dialog", { name: "Second Lead", exact: true });
  await expect(second.getByRole("combobox", { name: "Status" })).toBeVisible();
  await page.context().setOffline(true);
  await chooseStatus(page, second, "Interested");
  await portal.query("update leads set status = 'qualified' where id = $1", [other]);
  await page.context().setOffline(false);
  await expect(refused).toBeVisible();
  await signOut();
  await question.getByRole("button", { name: "Delete and sign out" }).click();
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
  await signIn("ana");
  await expect(page.getByRole("link", { name: "Second Lead", exact: true })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(refused).toHaveCount(0);
  expect(await status(other)).toBe("qualified");
});

test("an unsent change waits for its own user: another user neither sees nor sends it, and two tabs send it once", async ({
  page,
  signIn,
  portal,
  consoleWatch,
}) => {
  consoleWatch.allow(new RegExp(`${noNetwork.source}|401`));
  const id = await addOwnLead(portal, "Bound Lead", "+12125550127");
  await signIn("ana");
  const panel = await openPanel(page, id, "Bound Lead");
  await page.context().setOffline(true);
  await panel.getByRole("textbox", { name: "Note", exact: true }).fill("For Ana's eyes");
  await panel.getByRole("button", { name: "Add note" }).click();
  await expect(waiting(page, 1)).toBeVisible();
  await page.context().clearCookies();
  await page.context().setOffline(false);
  // The session has ended: the note waits until the next sign-in.
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
  await signIn("luis");
  await page.waitForLoadState("networkidle");
  await expect(page.getByRole("button", { name: /waiting to be sent/ })).toHaveCount(0);
  expect(await said(portal, id)).toEqual([]);

  await page.context().clearCookies();
  await startSession(page, "ana");
  const second = await page.context().newPage();
  await Promise.all([page.goto("/"), second.goto("/")]);
  await expect.poll(() => said(portal, id)).toEqual([{ kind: "note-added", field: null }]);
  for (const tab of [page, second]) {
    await expect(tab.getByRole("button", { name: /account menu/ })).toBeVisible();
    await expect(tab.getByRole("button", { name: /waiting to be sent/ })).toHaveCount(0);
  }
  expect((await said(portal, id)).length).toBe(1);
});
