import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, type Page, test } from "@playwright/test";
import gifenc from "gifenc";
import { PNG } from "pngjs";

/*
 * Takes the guide's pictures in a running demo (`npm run guide:pictures`; see CONTRIBUTING.md). Fails if the guide describes something that
 * the product no longer has.
 */

const { GIFEncoder, applyPalette, quantize } = gifenc;

type Language = "en" | "es";

const folder = path.join(import.meta.dirname, "../../docs/guide/pictures");

const people = {
  admin: { route: "/api/admin/login", email: "admin@portal.test", password: "portal-admin" },
  ana: { route: "/api/login/local", email: "ana@portal.test", password: "portal-demo" },
} as const;

interface Picture {
  name: string;
  who: keyof typeof people;
  at: string;
  /** Steps before the picture is taken. */
  prepare?: (page: Page) => Promise<unknown>;
}

const pictures: Picture[] = [
  { name: "leads", who: "ana", at: "/" },
  { name: "lead", who: "ana", at: "/", prepare: (page) => openLead(page, "Natalie Pruitt") },
  { name: "keys", who: "ana", at: "/", prepare: (page) => page.keyboard.press("?") },
  { name: "today", who: "ana", at: "/today" },
  { name: "inbox", who: "ana", at: "/inbox", prepare: (page) => page.keyboard.press("j") },
  { name: "dialer", who: "ana", at: "/auto-dialer" },
  { name: "call-history", who: "ana", at: "/call-history" },
  { name: "calendar", who: "ana", at: "/calendar" },
  { name: "reports", who: "ana", at: "/reports" },
  { name: "settings", who: "ana", at: "/settings" },
  { name: "panel", who: "admin", at: "/admin" },
  { name: "all-leads", who: "admin", at: "/all-leads" },
  { name: "team", who: "admin", at: "/team-access" },
  { name: "import", who: "admin", at: "/integrations?tab=import" },
  { name: "go-live", who: "admin", at: "/go-live" },
  { name: "analytics", who: "admin", at: "/analytics" },
];

async function openLead(page: Page, name: string): Promise<void> {
  await page.goto(`/all-leads?search=${encodeURIComponent(name)}`);
  await page.getByRole("table").getByRole("link", { name }).click();
  await expect(page.getByRole("dialog", { name, exact: true })).toBeVisible();
}

async function open(page: Page, who: keyof typeof people, at: string, language: Language): Promise<void> {
  const { route, ...account } = people[who];
  expect((await page.request.post(route, { data: account })).status()).toBe(200);
  expect((await page.request.patch("/api/interface-settings", { data: { language } })).status()).toBe(200);
  await page.goto(at);
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
}

/** Everything has loaded: there is neither a skeleton nor a loading text. */
async function expectLoaded(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await expect(page.locator("[aria-busy=true], .animate-pulse, .animate-spin")).toHaveCount(0);
}

for (const language of ["en", "es"] as const) {
  test.describe(language, () => {
    for (const { name, who, at, prepare } of pictures) {
      test(name, async ({ page }) => {
        await open(page, who, at, language);
        await prepare?.(page);
        await expectLoaded(page);
        mkdirSync(path.join(folder, language), { recursive: true });
        await page.screenshot({ path: path.join(folder, language, `${name}.png`), animations: "disabled" });
      });
    }
  });
}

/** A picture and its duration, in ms. */
interface Frame {
  png: PNG;
  ms: number;
}

/** Writes pictures as an animated GIF; unchanged pixels are transparent, which keeps the file small. */
function writeGif(file: string, frames: Frame[]): void {
  const gif = GIFEncoder();
  let before: Buffer | undefined;
  for (const { png, ms } of frames) {
    const { data, width, height } = png;
    const palette = quantize(data, 255);
    const pixels = applyPalette(data, palette);
    const isTransparent = before !== undefined;
    palette.push([0, 0, 0]);
    for (let pixel = 0; before && pixel < pixels.length; pixel++)
      if (data.readUInt32LE(pixel * 4) === before.readUInt32LE(pixel * 4)) pixels[pixel] = palette.length - 1;
    gif.writeFrame(pixels, width, height, {
      palette,
      delay: ms,
      transparent: isTransparent,
      transparentIndex: palette.length - 1,
      dispose: 1,
    });
    before = data;
  }
  gif.finish();
  writeFileSync(file, gif.bytes());
}

test("a call from the button to its outcome, as an animated picture", async ({ page }) => {
  await page.setViewportSize({ width: 960, height: 600 });
  const frames: Frame[] = [];
  const take = async (ms: number) => {
    const png = PNG.sync.read(await page.screenshot({ animations: "disabled" }));
    frames.push({ png, ms });
  };
  // A phone whose number ends with 3 answers, and talks for a while.
  await open(page, "ana", "/?status=New&search=0103", "en");
  await expectLoaded(page);
  await take(1_500);
  await page
    .getByRole("button", { name: /^Call Now / })
    .first()
    .click();
  const dock = page.getByRole("dialog", { name: /^Call / });
  await expect(dock).toBeVisible();
  await take(1_500);
  await expect(dock.getByText(/'s phone is ringing$/)).toBeVisible();
  await take(1_500);
  await expect(dock.getByText(/^Talk time 0:(?!00)/)).toBeVisible();
  for (let second = 0; second < 6; second += 2) {
    await take(900);
    await page.waitForTimeout(2_000);
  }
  await dock.getByLabel("Notes").fill("Wants an offer for two sites");
  await take(1_500);
  await expect(dock.getByText("Call ended", { exact: true })).toBeVisible();
  await take(1_500);
  await dock.getByRole("button", { name: /10:00 AM$/ }).click();
  await take(1_200);
  await dock.getByRole("button", { name: "Save Call Log" }).click();
  await expect(page.getByText("Call Log Saved").first()).toBeVisible();
  await expect(dock.getByText("Saving…")).toHaveCount(0);
  await take(2_500);
  writeGif(path.join(folder, "call.gif"), frames);
  expect(frames.length).toBeGreaterThan(8);
});
