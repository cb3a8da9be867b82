import { expectAccessible } from "./axe.ts";
import { expect, expectNoSidewaysScroll, startSession, test } from "./fixtures.ts";

test.use({ spec: "go-live" });

const phone = "+13055550113";

test("an administrator sees the open points, has their own phone called with one press, and marks a step by keys", async ({
  page,
  signIn,
  portal,
}) => {
  await portal.query(
    "update users set personal_phone = $1, personal_phone_e164 = $1 where email = 'admin@portal.test'",
    [phone],
  );
  await signIn("admin", "/ghl-diagnostics");
  await page.getByRole("link", { name: "Go-live checklist" }).click();
  await expect(page.getByRole("heading", { name: "Go-live checklist", level: 1 })).toBeFocused();
  await expect(page.getByText(/points are still open\./)).toBeVisible();
  const twilio = page.getByRole("region", { name: "Twilio", exact: true });
  await expect(twilio.getByText("The key is accepted.")).toBeVisible();

  await portal.control("POST", "/phones", { number: phone, mode: "manual" });
  await twilio.getByRole("button", { name: /^Ring my phone/ }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(twilio.getByText(/The phone is ringing/)).toBeVisible();
  const legs = async () => {
    const { calls } = (await portal.control("GET", "/calls")) as { calls: { number: string; sid: string }[] };
    return calls.filter(({ number }) => number === phone);
  };
  const [leg, ...others] = await legs();
  expect(others).toEqual([]);
  await portal.control("POST", `/calls/${leg?.sid}/answer`);
  await expect(twilio.getByText(/^Passed: Twilio reached the portal/)).toBeVisible();
  expect(await legs()).toHaveLength(1);

  const name = "Authentication for recordings";
  await page.getByRole("button", { name: `Mark as done: ${name}` }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: `Take back: ${name}` })).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^Done on .+ by .+\.$/)).toBeVisible();

  const [guide] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: /^Operations guide/ }).click(),
  ]);
  await expect(guide.getByText("# Operations", { exact: false })).toBeVisible();
});

test("on a small phone, in both languages and themes, there is no axe violation and no small touch target", async ({
  browser,
  baseURL,
}) => {
  for (const [language, heading] of [
    ["en", "Go-live checklist"],
    ["es", "Lista de puesta en marcha"],
  ] as const) {
    const context = await browser.newContext({
      ...(baseURL !== undefined && { baseURL }),
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: "reduce",
      colorScheme: "light",
    });
    await context.addInitScript((name) => localStorage.setItem("lead-desk.language", name), language);
    const page = await context.newPage();
    await startSession(page, "admin");
    const settings = { data: { language, theme: "auto" } };
    expect((await page.request.patch("/api/interface-settings", settings)).status()).toBe(200);
    await page.goto("/go-live");
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
    await expect(page.getByText(/points are still open\.|puntos por resolver\./)).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await expect(page.locator(colorScheme === "dark" ? "html.dark" : "html:not(.dark)")).toHaveCount(1);
      await expectAccessible(page, { message: `${language} ${colorScheme}` });
    }
    const low = () =>
      page
        .getByRole("main")
        .getByRole("button")
        .evaluateAll((buttons) =>
          buttons
            .filter((button) => button.getBoundingClientRect().height < 43.5)
            .map(({ outerHTML }) => outerHTML),
        );
    await expect.poll(low).toEqual([]);
    await expectNoSidewaysScroll(page);
    await context.close();
  }
});
