import { chromium } from "@playwright/test";
import { findChromium } from "../../scripts/lib/chromium.ts";

export const viewport = { width: 1280, height: 800 };

/** A Chromium with windows of 1280 × 800 for one address. */
export async function startBrowser(baseURL: string) {
  const { executablePath, env } = findChromium();
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  return { browser, context: await browser.newContext({ viewport, baseURL }) };
}
