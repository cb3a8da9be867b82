import { wavOf } from "../apps/server/src/testing/sounds.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

test.use({ spec: "voicemail-messages" });

test("a consultant uploads a message and records one by phone; it is left with one press, and its content hash is shown on the timeline", async ({
  page,
  signIn,
  portal,
  consoleWatch,
}) => {
  test.slow();
  // The browser logs the refused file.
  consoleWatch.allow(/400 \(Bad Request\).*voicemail-messages/);
  const phone = "+12125550137";
  await portal.query(
    `insert into leads (name, phone, phone_e164, assigned_to, assigned_at, search, consent_at)
     select 'Vera Voicemail', $1, $1, id, now(), 'vera voicemail', now() from users where email = 'ana@portal.test'`,
    [phone],
  );
  // A voicemail that records until it is redirected, however slow this machine is.
  await portal.control("POST", "/phones", { number: phone, mode: "auto", script: { hangUpAfter: 3_000 } });

  await signIn("admin", "/settings");
  const drop = page.getByRole("switch", { name: "Recorded messages at voicemails" });
  await expect(drop).toHaveAttribute("aria-checked", "false");
  await expect(drop).toHaveAccessibleDescription(/47 U\.S\.C\. 227\(b\)/);
  await drop.click();
  await page.getByRole("button", { name: "Save Organization Settings" }).click();
  await expect(page.getByText("The organization's settings have been saved.").first()).toBeVisible();

  await page.goto("about:blank");
  await signIn("ana", "/settings");
  await page.getByRole("button", { name: "Manage messages" }).click();
  await page.getByRole("button", { name: "New message" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Call me back");
  await page.getByRole("radio", { name: /Upload a file/ }).click();
  const buffer = Buffer.from(wavOf(40));
  await page
    .getByLabel("Sound file")
    .setInputFiles({ name: "hello.wav", mimeType: "audio/wav", buffer: Buffer.from("no sound") });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(/is not a WAV or MP3 file/).first()).toBeVisible();
  await page.getByLabel("Sound file").setInputFiles({ name: "hello.wav", mimeType: "audio/wav", buffer });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const english = page.getByRole("region", { name: "English" });
  await expect(english.getByText("Default", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "New message" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("By phone");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Ring my phone" }).click();
  await expect(english.getByRole("button", { name: "Make default: By phone" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await page.goto(`/?search=${encodeURIComponent("Vera Voicemail")}`);
  await page.getByRole("button", { name: "Call Now Vera Voicemail" }).click();
  const dock = page.getByRole("dialog", { name: "Call Vera Voicemail" });
  const leave = dock.getByRole("button", { name: "Leave message" });
  await expect(leave).toBeVisible();
  await expectAccessible(page);
  // In real time from here on, so that the message takes its time.
  await portal.control("POST", "/speed", { speed: 1 });
  await leave.click();
  await expect(dock.getByText(/Leaving your message “Call me back”/)).toBeVisible();
  await expect(leave).toBeHidden();
  // The consultant continues: for them the call is over, and the outcome is known.
  await expect(dock.getByRole("button", { name: "End Call" })).toBeHidden();
  await dock.getByRole("button", { name: "Save Call Log" }).click();
  await portal.control("POST", "/speed", { speed: 20 });
  await expect
    .poll(() =>
      portal.query("select kind, data ->> 'name' as name from lead_events where kind like 'message-%'"),
    )
    .toEqual([{ kind: "message-left", name: "Call me back" }]);

  await page.getByRole("link", { name: "Vera Voicemail" }).first().click();
  await expect(page.getByText("Message left").first()).toBeVisible();
});
