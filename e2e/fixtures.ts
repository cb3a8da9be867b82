import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { test as base, expect, type Page } from "@playwright/test";
import { limits } from "@portal/contract/limits";
import pg from "pg";
import { freePort, patientSettings } from "../apps/server/src/testing/server-process.ts";
import { createTestDatabase } from "../apps/server/src/testing/test-database.ts";

const root = path.resolve(import.meta.dirname, "..");
const speed = "20";

/** The running product: portal and sandbox as processes of their own, with a database of their own. */
export interface Portal {
  url: string;
  sandboxUrl: string;
  /** Kills the portal like a crash, and starts it again. */
  killAndRestart(): Promise<void>;
  /** Reads rows of the portal's database, for what no screen shows. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Sends a request to the sandbox's control API. */
  control(method: string, path: string, body?: object): Promise<unknown>;
}

function startProcess(entry: string, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [path.join(root, entry)], {
    cwd: root,
    env: { ...process.env, ...env, START_PARENT_PIPE: "1" },
    stdio: ["pipe", "ignore", "inherit"],
  });
}

async function untilHealthy(child: ChildProcess, url: string): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${url} ended before it was healthy`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

/** Settings for the sandbox as login provider. */
const loginProvider = (sandboxUrl: string) => ({
  OIDC_ISSUER: `${sandboxUrl}/login`,
  OIDC_CLIENT_ID: "portal",
  OIDC_CLIENT_SECRET: "sandbox-login-secret",
  OIDC_NAME: "Sandbox Login",
});

/** Options with which the portal of a file is started. */
interface PortalOptions {
  /** Name of the file: each has a portal of its own, so that none finds data of another one. */
  spec: string;
  /** The market whose rules apply. */
  market: "US" | "ES" | "OPEN";
  /** Whether users may also sign in at a login provider. */
  singleSignOn: boolean;
  /** Host name for browsers: passkeys need one that is not an IP address. */
  host: "127.0.0.1" | "localhost";
}

async function startPortal({
  spec,
  market,
  singleSignOn,
  host,
}: PortalOptions): Promise<Portal & { stop(): Promise<void> }> {
  const [port, sandboxPort, database] = await Promise.all([freePort(), freePort(), createTestDatabase()]);
  const dataDir = mkdtempSync(path.join(tmpdir(), `portal-e2e-${spec}-`));
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const env = {
    ...(singleSignOn && loginProvider(sandboxUrl)),
    DATABASE_URL: database.url,
    PORT: String(port),
    PUBLIC_URL: `http://${host}:${port}`,
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_PORTAL_URL: `http://127.0.0.1:${port}`,
    SANDBOX_SPEED: speed,
    DATA_DIR: dataDir,
    TWILIO_CPS: "20",
    MARKET: market,
    LOG_LEVEL: "warn",
    ...patientSettings,
    NODE_ENV: "test",
  };
  const url = env.PUBLIC_URL;
  const sandbox = startProcess("packages/sandbox/src/main.ts", env);
  let portal = startProcess("apps/server/dist/main.js", env);
  await Promise.all([
    untilHealthy(sandbox, `${sandboxUrl}/health`),
    untilHealthy(portal, `${url}/api/health`),
  ]);
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });

  return {
    url,
    sandboxUrl,
    async killAndRestart() {
      await end(portal, "SIGKILL");
      portal = startProcess("apps/server/dist/main.js", env);
      await untilHealthy(portal, `${url}/api/health`);
    },
    query: async (sql, values) => (await pool.query(sql, values)).rows,
    async control(method, route, body) {
      const answer = await fetch(`${sandboxUrl}/control${route}`, {
        method,
        ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`control ${route}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    async stop() {
      await pool.end();
      await Promise.all([end(portal, "SIGTERM"), end(sandbox, "SIGTERM")]);
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** All errors and warnings in the browser's console. A test fails if there is one that it did not expect. */
export interface ConsoleWatch {
  messages: string[];
  /** Allows messages that the test causes on purpose. */
  allow(pattern: RegExp): void;
}

/** Opens a page as a person. */
export type SignIn = (person: keyof typeof people, path?: string) => Promise<void>;

interface Fixtures extends PortalOptions {
  portal: Portal;
  consoleWatch: ConsoleWatch;
  /** Opens a page as this person, whose session is started by a request. */
  signIn: SignIn;
  /** Opens a page as a visitor, and signs in there. */
  signInByForm: SignIn;
}

export const people = {
  admin: { email: "admin@portal.test", password: "portal-admin" },
  ana: { email: "ana@portal.test", password: "portal-demo" },
  luis: { email: "luis@portal.test", password: "portal-demo" },
  sofia: { email: "sofia@portal.test", password: "portal-demo" },
} as const;

/** Signs in by a request, for the page and its context. */
export async function startSession(page: Page, person: keyof typeof people): Promise<void> {
  const route = person === "admin" ? "/api/admin/login" : "/api/login/local";
  expect((await page.request.post(route, { data: people[person] })).status()).toBe(200);
}

/** Fills in the sign-in page and submits it. */
export async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/**
 * Submits the sign-in page and waits until the page has reloaded, a second after the response, so that the next step does not come too
 * early.
 */
export async function signInByPage(page: Page, { email, password }: { email: string; password: string }) {
  const loadedAnew = page.waitForEvent("domcontentloaded");
  await fillSignIn(page, email, password);
  await loadedAnew;
}

/** The page does not scroll sideways, once its layout matches the window. */
export async function expectNoSidewaysScroll(page: Page, message?: string): Promise<void> {
  const pixels = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(pixels, message).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

/** Keeps toasts on screen, as while another window has the focus, however long the next steps take. */
export async function holdToasts(page: Page): Promise<void> {
  await page.evaluate(() => setInterval(() => window.dispatchEvent(new Event("blur")), 50));
}

/**
 * Lets recordings load without a time limit, and play until they are paused: otherwise one that does not load in time is given up and one
 * that ends stops playing, so that the result of a test would depend on the load of this machine.
 */
export async function letRecordingsPlay(page: Page): Promise<void> {
  await page.addInitScript((loadTimeoutMs) => {
    const { setTimeout } = window;
    const { play } = HTMLMediaElement.prototype;
    Object.assign(window, {
      setTimeout: (run: () => void, ms?: number) => (ms === loadTimeoutMs ? 0 : setTimeout(run, ms)),
    });
    HTMLMediaElement.prototype.play = function () {
      this.loop = true;
      return play.call(this);
    };
  }, limits.audioLoadTimeoutMs);
}

/** Keeps the portal of the file whose tests run: a worker continues with the next file, and with its browser. */
function keepPortal() {
  let kept: { of: string; portal: Awaited<ReturnType<typeof startPortal>> } | undefined;
  const stop = async () => {
    const last = kept;
    kept = undefined;
    await last?.portal.stop();
  };
  return {
    async open(options: PortalOptions): Promise<Portal> {
      const of = JSON.stringify(options);
      if (kept?.of === of) return kept.portal;
      const [portal] = await Promise.all([startPortal(options), stop()]);
      kept = { of, portal };
      return portal;
    },
    stop,
  };
}

export const test = base.extend<Fixtures, { portals: ReturnType<typeof keepPortal> }>({
  spec: ["", { option: true }],
  market: ["OPEN", { option: true }],
  singleSignOn: [false, { option: true }],
  host: ["127.0.0.1", { option: true }],
  portals: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures this one needs
    async ({}, use) => {
      const portals = keepPortal();
      await use(portals);
      await portals.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  portal: [
    async ({ portals, spec, market, singleSignOn, host }, use) =>
      use(await portals.open({ spec, market, singleSignOn, host })),
    { timeout: 180_000 },
  ],
  baseURL: async ({ portal }, use) => use(portal.url),
  consoleWatch: [
    async ({ page }, use) => {
      const messages: string[] = [];
      // Logged wherever the portal would register its worker, which only e2e/app.spec.ts allows.
      const allowed = [
        /^Service Worker registration blocked by Playwright/,
        // Logged on a machine too busy to run the page's code within three seconds; e2e/shell.spec.ts counts how often preloaded files are
        // fetched.
        /was preloaded using link preload but not used within a few seconds/,
      ];
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type()))
          messages.push(`${message.text()} (${message.location().url})`);
      });
      page.on("pageerror", (error) => messages.push(String(error)));
      await use({ messages, allow: (pattern) => allowed.push(pattern) });
      expect(messages.filter((message) => !allowed.some((pattern) => pattern.test(message)))).toEqual([]);
    },
    { auto: true },
  ],
  signIn: async ({ page }, use) => {
    await use(async (person, to = "/") => {
      await startSession(page, person);
      await page.goto(to);
      await expect(page.getByRole("button", { name: /account menu|Salir/ })).toBeVisible();
    });
  },
  signInByForm: async ({ page }, use) => {
    await use(async (person, to = "/") => {
      await page.goto(to);
      await signInByPage(page, people[person]);
      await expect(page.getByRole("button", { name: /account menu|Salir/ })).toBeVisible();
    });
  },
});

export { expect };

/**
 * Total size of the JavaScript named in the page's own HTML, in bytes as sent with gzip; `load` reloads the page and waits for its first
 * screen. Every other script is blocked until then, which proves that the first screen needs none of them, however slow this machine is.
 */
export async function scriptBytes(page: Page, load: () => Promise<void>): Promise<number> {
  const html = await (await page.request.get(page.url())).text();
  const first = new Set([...html.matchAll(/"(\/[^"]+\.js)"/g)].map(([, name = ""]) => name));
  let show: (() => void) | undefined;
  const shown = new Promise<void>((resolve) => {
    show = resolve;
  });
  await page.route("**/*.js", async (route) => {
    if (!first.has(new URL(route.request().url()).pathname)) await shown;
    await route.continue();
  });
  await load();
  show?.();
  // Read from the disk, because a response from the browser's cache has no body.
  const sizes = [...first].map(
    (name) => gzipSync(readFileSync(path.join(root, "apps/web/dist", name))).length,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
