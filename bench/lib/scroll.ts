import type { Page } from "@playwright/test";
import { viewport } from "./browser.ts";

/**
 * Cost of scrolling a page: the longest task of its main thread in ms, all tasks over 50 ms, and the highest number of rows on the page.
 */
export interface Scrolling {
  longestMs: number;
  longTasks: number;
  mostRows: number;
}

const notchPx = 200;

/** Browsers report only tasks of 50 ms and more (w3c.github.io/longtasks). */
async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: "longtask" });
    Object.assign(window, { benchTasks: tasks });
  });
}

/**
 * Scrolls so many screens down with the wheel in single steps, as a person does, while the browser slows the processor down by `slowdown`.
 * `rows` is the selector of rows.
 */
export async function scrollDown(
  page: Page,
  { screens, slowdown, rows }: { screens: number; slowdown: number; rows: string },
): Promise<Scrolling> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await watchTasks(page);
  await page.mouse.move(viewport.width / 2, viewport.height / 2);
  let mostRows = 0;
  for (let notch = 0; notch < (screens * viewport.height) / notchPx; notch += 1) {
    await page.mouse.wheel(0, notchPx);
    const shown = await page.evaluate(
      (selector) =>
        new Promise<number>((resolve) =>
          requestAnimationFrame(() => resolve(document.querySelectorAll(selector).length)),
        ),
      rows,
    );
    mostRows = Math.max(mostRows, shown);
  }
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  // The last entries are delivered when the main thread is idle.
  const tasks = await page.evaluate(
    () =>
      new Promise<number[]>((resolve) =>
        setTimeout(() => resolve((window as unknown as { benchTasks: number[] }).benchTasks), 300),
      ),
  );
  const scrolled = await page.evaluate(() => window.scrollY);
  if (scrolled < screens * viewport.height * 0.95)
    throw new Error(`only ${Math.round(scrolled)} px were scrolled`);
  await cdp.detach();
  return { longestMs: Math.max(0, ...tasks), longTasks: tasks.length, mostRows };
}
