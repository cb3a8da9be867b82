import type { Browser, BrowserContext } from "@playwright/test";
import { root } from "../scripts/lib/environment.ts";
import { ensureBuilt } from "../scripts/start/build.ts";
import { startBenchDatabase } from "./lib/bench-database.ts";
import { startBrowser } from "./lib/browser.ts";
import { addPeople, fill } from "./lib/scale-data.ts";
import { startScalePortal } from "./lib/scale-portal.ts";
import { median } from "./lib/table.ts";

const loads = 9;
const leads = 20_000;

interface Profile {
  name: string;
  viewport: { width: number; height: number };
  /** Factor by which the processor is slowed down. */
  slowdown: number;
  /** Kbit/s and ms; null for the unchanged loopback. */
  network: { down: number; up: number; latencyMs: number } | null;
  goalMs: { cold: number; cached: number };
}

const profiles: Profile[] = [
  {
    name: "slow phone",
    viewport: { width: 390, height: 844 },
    slowdown: 4,
    network: { down: 1_600, up: 750, latencyMs: 150 },
    goalMs: { cold: 2_500, cached: 1_000 },
  },
  {
    name: "desk",
    viewport: { width: 1_440, height: 900 },
    slowdown: 1,
    network: null,
    goalMs: { cold: 800, cached: 350 },
  },
];

interface Load {
  paintMs: number;
  leadMs: number;
}

/** Records when the first lead's card is rendered: the time of the next frame. */
function watchFirstLead() {
  const noted = window as unknown as { firstLead?: number };
  const look = () => {
    if (noted.firstLead !== undefined || !document.querySelector("main article h2")) return;
    requestAnimationFrame(() => {
      noted.firstLead ??= performance.now();
    });
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true });
}

async function load(context: BrowserContext, profile: Profile, url: string): Promise<Load> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: profile.slowdown });
  await devtools.send("Network.enable");
  if (profile.network)
    await devtools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: profile.network.latencyMs,
      downloadThroughput: (profile.network.down * 1_000) / 8,
      uploadThroughput: (profile.network.up * 1_000) / 8,
    });
  await page.addInitScript(watchFirstLead);
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() => (window as unknown as { firstLead?: number }).firstLead !== undefined);
  const times = await page.evaluate(() => ({
    leadMs: (window as unknown as { firstLead: number }).firstLead,
    paintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  }));
  // Code that loads later has to be in the cache too.
  await page.waitForLoadState("networkidle").catch(() => undefined);
  await page.close();
  return times;
}

async function measure(
  browser: Browser,
  profile: Profile,
  { url, person }: { url: string; person: { email: string; password: string } },
): Promise<Record<"cold" | "cached", Load[]>> {
  const taken: Record<"cold" | "cached", Load[]> = { cold: [], cached: [] };
  // The first load is not counted, because the server compiles the code it uses.
  for (let round = 0; round <= loads; round += 1) {
    const context = await browser.newContext({ viewport: profile.viewport, baseURL: url });
    const signedIn = await context.request.post("/api/login/local", {
      data: person,
      headers: { origin: url },
    });
    if (!signedIn.ok()) throw new Error(`sign-in answered ${signedIn.status()}`);
    const cold = await load(context, profile, url);
    const cached = await load(context, profile, url);
    await context.close();
    if (round === 0) continue;
    taken.cold.push(cold);
    taken.cached.push(cached);
  }
  return taken;
}

/**
 * Time from the address to the first real lead on screen, with an empty and a filled cache, on a slow phone (1.6 Mbit/s down, 0.75 up, 150
 * ms, a quarter of the processor) and on a desktop; medians of nine. @returns whether the goals are met
 */
export async function run(): Promise<boolean> {
  await ensureBuilt({ root, target: "web" });
  const { url: databaseUrl, database, stop } = await startBenchDatabase();
  try {
    const { consultant } = await addPeople(database);
    await fill(databaseUrl, { leads: 0, calls: 0 }, { leads, calls: leads });
    const { url, service } = await startScalePortal(databaseUrl);
    const { browser } = await startBrowser(url);
    let isMet = true;
    try {
      for (const profile of profiles) {
        const person = { email: consultant.email, password: consultant.password };
        const taken = await measure(browser, profile, { url, person });
        for (const kind of ["cold", "cached"] as const) {
          const lead = median(taken[kind].map(({ leadMs }) => leadMs));
          const paint = median(taken[kind].map(({ paintMs }) => paintMs));
          const all = taken[kind].map(({ leadMs }) => Math.round(leadMs)).join(", ");
          isMet &&= lead <= profile.goalMs[kind];
          process.stdout.write(
            `${profile.name}, ${kind}: first lead ${Math.round(lead)} ms (goal ${profile.goalMs[kind]}), first paint ${Math.round(paint)} ms; ${all}\n`,
          );
        }
      }
    } finally {
      await browser.close();
      await service.stop();
    }
    return isMet;
  } finally {
    await stop();
  }
}
