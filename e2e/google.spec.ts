import { expect, startSession, test } from "./fixtures.ts";

test.use({ spec: "google" });

test("a calendar is connected by consent and shows its events", async ({ page, signIn, portal }) => {
  await signIn("ana", "/calendar");
  const card = page.getByRole("region", { name: "Google Calendar" });
  await card.getByRole("button", { name: "Connect Google Calendar" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Connection Failed", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/calendar$/);

  const start = new Date(Date.now() + 26 * 3_600_000);
  const time = (minutes: number) => ({
    dateTime: new Date(start.getTime() + minutes * 60_000).toISOString(),
  });
  const dentist = { summary: "Dentist", start: time(0), end: time(30) };
  await portal.control("POST", "/google/events", { account: "ana@portal.test", ...dentist });
  await card.getByRole("button", { name: "Connect Google Calendar" }).click();
  await expect(page.getByRole("textbox", { name: "Account" })).toHaveValue("ana@portal.test");
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(card.getByText("Connected as ana@portal.test")).toBeVisible();
  // The first sync follows automatically, and its meetings appear by live events.
  await expect(page.getByRole("article", { name: "Dentist" })).toBeVisible();

  await card.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(card.getByRole("button", { name: "Connect Google Calendar" })).toBeVisible();
});

test("a meeting waits while the Calendar API is disabled; an administrator sees what to enable, and it is sent once", async ({
  page,
  signIn,
  portal,
  browser,
  baseURL,
  consoleWatch,
}) => {
  // Logged by the browser for the sync that Google refuses.
  consoleWatch.allow(/502/);
  await signIn("luis", "/calendar");
  const card = page.getByRole("region", { name: "Google Calendar" });
  await card.getByRole("button", { name: "Connect Google Calendar" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(card.getByText("Connected as luis@portal.test")).toBeVisible();
  await expect(card.getByText(/Last sync/)).toBeVisible();

  await portal.control("POST", "/google/api", { enabled: false });
  const start = Date.now() + 50 * 3_600_000;
  const made = await page.request.post("/api/calendar/events", {
    data: {
      title: "Offer for Eva",
      startTime: new Date(start).toISOString(),
      endTime: new Date(start + 1_800_000).toISOString(),
      timeZone: "America/New_York",
    },
  });
  expect(made.status()).toBe(200);
  await expect(card.getByText(/Calendar API is not switched on for the portal/)).toBeVisible();

  const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
  const admin = await context.newPage();
  await startSession(admin, "admin");
  await admin.goto("/");
  await admin.getByRole("button", { name: "Google's Calendar API is not switched on" }).click();
  const google = admin.getByRole("region", { name: "Google Calendar" });
  await expect(google.getByText(/Library, Google Calendar API, Enable/)).toBeVisible();
  await context.close();

  // By its switch on the page of the simulated phones.
  await page.goto(`${portal.sandboxUrl}/phones`);
  await page.getByRole("checkbox", { name: "Google's Calendar API is switched on" }).check();
  await page.goto(`${baseURL}/calendar`);
  await card.getByRole("button", { name: "Sync Now" }).click();
  const sent = async () => {
    const { events } = (await portal.control("GET", "/google/events?account=luis@portal.test")) as {
      events: { summary: string }[];
    };
    return events.map(({ summary }) => summary);
  };
  await expect.poll(sent).toEqual(["Offer for Eva"]);
  await expect(card.getByText(/Calendar API is not switched on/)).toHaveCount(0);
  await expect(card.getByText(/wait/)).toHaveCount(0);
  expect(await sent()).toEqual(["Offer for Eva"]);
});
