import type { Page } from "@playwright/test";
import { totpCode } from "../apps/server/src/testing/totp.ts";
import { expectAccessible } from "./axe.ts";
import { expect, expectNoSidewaysScroll, fillSignIn, people, startSession, test } from "./fixtures.ts";

test.use({ spec: "second-factor" });

test.beforeEach(({ page, consoleWatch }) => {
  // Refused requests are also logged in the console.
  consoleWatch.allow(/status of 40[01]/);
  return page.emulateMedia({ reducedMotion: "reduce" });
});

async function expectNarrow(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  if (size) await page.setViewportSize(size);
}

const codePage = (page: Page) => page.getByRole("heading", { name: "Enter your code" });
const accountMenu = (page: Page) => page.getByRole("button", { name: /account menu/ });

test("an authenticator app is set up in Settings, required at sign-in, and can be replaced by a recovery code", async ({
  page,
  portal,
  signIn,
}) => {
  const { email, password } = people.luis;
  // The address names the section, which stays in place while those above it load, as in a browser that does not see to that itself.
  await page.addInitScript(() =>
    document.addEventListener("DOMContentLoaded", () => {
      document.documentElement.style.overflowAnchor = "none";
    }),
  );
  await signIn("luis", "/settings#security");
  await expect(page.getByRole("button", { name: "Save Notification Settings" })).toBeAttached();
  await expect(page.locator("#hours").getByRole("button").first()).toBeAttached();
  await expect
    .poll(() => page.locator("#security").evaluate((section) => section.getBoundingClientRect().top))
    .toBeLessThan(200);
  await page.getByRole("button", { name: "Set Up Authenticator App" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Your Password").fill("wrong");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("This password is not right.")).toBeVisible();
  await dialog.getByLabel("Your Password").fill(password);
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("img", { name: "QR code of the key below" })).toBeVisible();
  await expectAccessible(page, { within: "[role=dialog]", inBothThemes: true });
  await expectNarrow(page);
  const secret = await dialog.getByLabel("Key", { exact: true }).inputValue();
  const code = dialog.getByLabel("Code from the app");
  await expect(code).toBeFocused();
  await code.fill("000000");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("This code is not right")).toBeVisible();
  await code.fill(totpCode(secret));
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("listitem")).toHaveCount(10);
  const recoveryCode = await dialog.getByRole("listitem").first().innerText();
  await expect(dialog).toHaveAccessibleName("Your recovery codes");
  await expect(dialog.getByRole("button", { name: "Copy All" })).toBeFocused();
  await expectAccessible(page, { within: "[role=dialog]", inBothThemes: true });
  await expectNarrow(page);
  await dialog.getByRole("button", { name: "I Have Kept Them" }).click();
  await expect(page.getByText("An authenticator app is set up. 10 recovery codes are left.")).toBeVisible();
  await portal.query("update totp_secrets set last_step = null");

  await page.goto("/api/logout");
  await fillSignIn(page, email, password);
  await expect(codePage(page)).toBeVisible();
  await expectAccessible(page, { inBothThemes: true });
  await expectNarrow(page);
  // The reloaded page still asks for the code, in either language.
  await page.goto("/calendar");
  await page.getByRole("button", { name: "Español" }).click();
  await expect(page.getByRole("heading", { name: "Escribe tu código" })).toBeVisible();
  await page.getByRole("button", { name: "English" }).click();
  await page.getByLabel("Code").fill("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByText("This code is not right")).toBeVisible();
  await page.getByLabel("Code").fill(totpCode(secret));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Calendar", level: 1 })).toBeVisible();

  await page.goto("/api/logout");
  await fillSignIn(page, email, password);
  await page.getByRole("button", { name: "Use a recovery code" }).press("Enter");
  await page.getByLabel("Recovery Code").fill(recoveryCode);
  await page.keyboard.press("Enter");
  await expect(accountMenu(page)).toBeVisible();

  await page.goto("/settings");
  await expect(page.getByText("9 recovery codes are left.")).toBeVisible();
  await page.getByRole("button", { name: "Remove Authenticator App" }).click();
  await dialog.getByLabel("Your Password").fill(password);
  await dialog.getByRole("button", { name: "Remove Authenticator App" }).click();
  await expect(page.getByRole("button", { name: "Set Up Authenticator App" })).toBeVisible();
  await expect(dialog).toBeHidden();
});

test("when an administrator requires a second factor, an open page redirects to the setup, and a lost one is reset", async ({
  page,
  portal,
  signIn,
  browser,
}) => {
  await signIn("ana", "/calendar");
  const context = await browser.newContext({ baseURL: portal.url, serviceWorkers: "block" });
  const admin = await context.newPage();
  await startSession(admin, "admin");
  await admin.goto("/settings");
  await admin.getByRole("switch", { name: "Consultants need a second factor" }).click();
  await admin.getByRole("button", { name: "Save Organization Settings" }).click();

  await expect(page.getByRole("heading", { name: "Set up a second factor" })).toBeVisible();
  await page.getByLabel("Your Password", { exact: true }).fill(people.ana.password);
  await page.keyboard.press("Enter");
  const secret = await page.getByLabel("Key", { exact: true }).inputValue();
  await expectAccessible(page, { inBothThemes: true });
  await expectNarrow(page);
  await page.getByLabel("Code from the app").fill(totpCode(secret));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
  await page.getByRole("button", { name: "I Have Kept Them" }).click();
  await expect(page.getByRole("heading", { name: "Calendar", level: 1 })).toBeVisible();

  await admin.goto("/team-access");
  await admin.getByRole("button", { name: /Actions for Ana/ }).click();
  await admin.getByRole("menuitem", { name: "Reset second factor" }).click();
  await admin.getByRole("button", { name: "Reset", exact: true }).click();
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
  await context.close();
});

test.describe("a passkey", () => {
  test.use({ host: "localhost" });

  test("is added, named, signs in alone and instead of a code, accepts each response once, and is removed", async ({
    page,
    signIn,
  }) => {
    const device = await page.context().newCDPSession(page);
    await device.send("WebAuthn.enable");
    await device.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const { email, password } = people.sofia;
    await signIn("sofia", "/settings");
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add Passkey" }).click();
    await dialog.getByLabel("Name").fill("My phone");
    await dialog.getByLabel("Your Password", { exact: true }).fill(password);
    await expectAccessible(page, { within: "[role=dialog]", inBothThemes: true });
    await page.keyboard.press("Enter");
    await expect(dialog.getByRole("listitem")).toHaveCount(10);
    await dialog.getByRole("button", { name: "I Have Kept Them" }).click();
    await page.getByRole("button", { name: "Rename My phone" }).click();
    await dialog.getByLabel("Name").fill("Work laptop");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Remove Work laptop" })).toBeVisible();
    await expect(dialog).toBeHidden();
    await expectAccessible(page, { inBothThemes: true });
    await expectNarrow(page);

    await page.goto("/api/logout");
    await expect(page.getByRole("button", { name: "Use a passkey" })).toBeVisible();
    await expectAccessible(page, { inBothThemes: true });
    await expectNarrow(page);
    const sent = page.waitForRequest("**/api/login/passkey");
    await page.getByRole("button", { name: "Use a passkey" }).press("Enter");
    await expect(accountMenu(page)).toBeVisible();
    // A response that was already used does not sign in again.
    const again = await page.request.post("/api/login/passkey", { data: (await sent).postDataJSON() });
    expect([again.status(), (await again.json()).code]).toEqual([400, "passkey_refused"]);

    await page.goto("/api/logout");
    await fillSignIn(page, email, password);
    await expect(codePage(page)).toBeVisible();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await expect(accountMenu(page)).toBeVisible();

    await page.goto("/settings");
    await page.getByRole("button", { name: "Remove Work laptop" }).click();
    await dialog.getByLabel("Your Password", { exact: true }).fill(password);
    await dialog.getByRole("button", { name: "Remove Passkey" }).click();
    await expect(page.getByRole("button", { name: "Remove Work laptop" })).toBeHidden();
    // Without a second factor the password signs in again, and the passkey, which is still on the device, does not.
    await page.goto("/api/logout");
    await fillSignIn(page, email, password);
    await expect(accountMenu(page)).toBeVisible();
    const options = await (await page.request.post("/api/login/passkey/options")).json();
    const credential = await page.evaluate(async (json) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
      return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON();
    }, options);
    const refused = await page.request.post("/api/login/passkey", { data: { credential } });
    expect([refused.status(), (await refused.json()).code]).toEqual([400, "passkey_refused"]);
  });
});
