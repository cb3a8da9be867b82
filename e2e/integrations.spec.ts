import { expectAccessible } from "./axe.ts";
import { expect, expectNoSidewaysScroll, startSession, test } from "./fixtures.ts";

test.use({ spec: "integrations" });

test("a full sync is shown in every open page while it runs, and only administrators may start it", async ({
  page,
  signIn,
  browser,
  portal,
}) => {
  await portal.control("POST", "/ghl/generate", { count: 1_000 });
  await portal.control("POST", "/latency", { vendor: "ghl", match: "/contacts/search", ms: 6_000 });
  await signIn("ana", "/integrations");
  await expect(page.getByText("Connected", { exact: true })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main navigation" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Sync All (Admin)" })).toBeDisabled();
  const refused = await page.request.post("/api/ghl/sync", { headers: { origin: portal.url } });
  expect(refused.status()).toBe(403);

  const desk = await browser.newPage({ baseURL: portal.url });
  await startSession(desk, "admin");
  await desk.goto("/integrations");
  await desk.getByRole("button", { name: "Sync All (Admin)" }).click();
  const newest = page
    .getByRole("list", { name: "Last syncs" })
    .getByRole("listitem")
    .filter({ hasText: "All contacts" })
    .first();
  await expect(newest).toContainText("All contacts");
  await expect(newest).toContainText(/Running.*(500|1,000) contacts/);
  await portal.control("DELETE", "/latency");
  await expect(desk.getByText("Sync Complete", { exact: true })).toBeVisible();
  // The number of new contacts depends on earlier syncs.
  await expect(newest).toContainText(/1,1\d\d contacts/);
  await expect(newest).not.toContainText("Running");
  await desk.close();
});

test("the API documentation finds an endpoint, and the diagnostics check an integration again", async ({
  page,
  portal,
}) => {
  await startSession(page, "luis");
  await page.goto("/api/docs");
  await expect(page).toHaveURL(/\/integrations\?tab=api$/);
  await expect(page.getByText("The API is currently open without authentication.")).toBeVisible();
  await page.getByRole("searchbox", { name: "Search endpoints" }).fill("contacts hubspot");
  await expect(page.getByText("1 endpoint", { exact: true })).toBeVisible();
  await page.getByText("/api/webhook/hubspot").click();
  await expect(page.getByText("elena.prado@example.com")).toBeVisible();

  await portal.control("POST", "/fail", { vendor: "ghl", match: "/users", status: 401, count: 2 });
  await page.goto("/ghl-diagnostics");
  const ghl = page.getByRole("region", { name: "Go High Level" });
  await expect(ghl.getByText("The key is refused.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Twilio" }).getByText("The key is accepted.")).toBeVisible();
  await ghl.getByRole("button", { name: "Check Go High Level again" }).click();
  await expect(ghl.getByText("The key is accepted.")).toBeVisible();
});

test("an administrator sees Twilio webhooks that point elsewhere, and fixes them", async ({
  page,
  portal,
}) => {
  const number = `/twilio/2010-04-01/Accounts/AC${"1".padStart(32, "0")}/IncomingPhoneNumbers/PN${"1".padStart(32, "0")}.json`;
  await fetch(portal.sandboxUrl + number, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`AC${"1".padStart(32, "0")}:sandbox-auth-token`)}` },
    body: new URLSearchParams({ VoiceUrl: "https://elsewhere.example.com/voice", SmsMethod: "GET" }),
  });
  await startSession(page, "admin");
  await page.goto("/ghl-diagnostics");
  const twilio = page.getByRole("region", { name: "Twilio" });
  await twilio.getByRole("button", { name: "Fix…" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Fix at Twilio" });
  await expect(dialog.getByText("https://elsewhere.example.com/voice")).toBeVisible();
  await dialog.getByRole("button", { name: "Fix" }).click();
  await expect(twilio.getByText("Calls and texts are sent to this portal.")).toBeVisible();
  await expect(twilio.getByRole("button", { name: "Fix…" })).toHaveCount(0);
});

test("an implausible number of deletions waits for an administrator, who sees the numbers and confirms by keyboard", async ({
  page,
  portal,
}) => {
  await startSession(page, "admin");
  const sync = () => page.request.post("/api/ghl/sync", { headers: { origin: portal.url } });
  const ended = (state: string) =>
    expect
      .poll(() => portal.query("select state from crm_sync_runs where kind = 'all' order by id desc limit 1"))
      .toEqual([{ state }]);
  await sync();
  await ended("done");
  // Without webhooks, as with only a private token.
  await portal.control("POST", "/ghl/webhook", { url: null });
  const { contacts } = (await portal.control("GET", "/ghl/contacts")) as { contacts: { id: string }[] };
  for (const { id } of contacts.slice(0, Math.max(20, Math.ceil(contacts.length / 40))))
    await portal.control("DELETE", `/ghl/contacts/${id}`);
  await sync();
  await ended("held");

  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/integrations");
  const question = page.getByRole("region", { name: "Were these contacts really deleted in GHL?" });
  await expect(question.getByText(contacts.length.toLocaleString("en-US"), { exact: true })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, { within: "section[aria-labelledby]", inBothThemes: true });
  await question.getByRole("button", { name: "Mark them" }).focus();
  await page.keyboard.press("Enter");
  await expect(question).toHaveCount(0);
  await ended("done");
  await expect
    .poll(() => portal.query("select decision from crm_sync_runs where decision is not null"))
    .toEqual([{ decision: "mark" }]);
});

test("the app is installed on HighLevel's page, its removal there is reported, and an installation started there is confirmed by name", async ({
  page,
  portal,
}) => {
  await portal.control("POST", "/ghl/webhook", { url: `${portal.url}/api/ghl/webhook` });
  await startSession(page, "admin");
  await page.goto("/integrations");
  const card = page.getByRole("region", { name: "Way to GHL" });
  await expect(card.getByText("Private token", { exact: true })).toBeVisible();
  await card.getByRole("button", { name: "Install the app" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("The installation was canceled.").first()).toBeVisible();
  await expect(page).toHaveURL(/\/integrations$/);
  await card.getByRole("button", { name: "Install the app" }).click();
  await page.getByRole("button", { name: "Install", exact: true }).click();
  await expect(card.getByText("Installed app", { exact: true })).toBeVisible();
  await expect(card.getByText(/Connected with Sandbox Sales/)).toBeVisible();

  await portal.control("POST", "/ghl/app/uninstall", {});
  await expect(card.getByRole("button", { name: "Connect again" })).toBeVisible();
  await expect(card.getByText(/The private token serves meanwhile/)).toBeVisible();

  await page.setViewportSize({ width: 360, height: 740 });
  const redirectUri = `${portal.url}/api/crm/install/callback`;
  const begun = await portal.control("POST", "/ghl/app/install", { redirectUri });
  await page.goto((begun as { url: string }).url);
  const dialog = page.getByRole("alertdialog", { name: "Connect with Sandbox Sales?" });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect(card.getByText("Installed app", { exact: true })).toBeVisible();
  await card.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(card.getByText("Private token", { exact: true })).toBeVisible();
});
