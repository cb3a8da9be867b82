import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import underPressure from "@fastify/under-pressure";
import { fastify } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refuseUnderPressure, registerErrorHandler } from "./error-handler.ts";
import type { AuthSession } from "./session.ts";
import { registerWeb } from "./web.ts";

const root = mkdtempSync(path.join(tmpdir(), "portal-web-"));
const app = fastify();
let isSignedIn = false;
const readSession = async () => (isSignedIn ? ({ userId: 1 } as unknown as AuthSession) : null);

beforeAll(async () => {
  mkdirSync(path.join(root, "assets"));
  const page =
    '<html data-session="__HAS_SESSION__" data-worker="__PORTAL_WORKER__" data-options="__SIGN_IN_OPTIONS__" data-screen="__FIRST_SCREEN__"><!--first-screen--></html>';
  writeFileSync(path.join(root, "index.html"), page);
  writeFileSync(path.join(root, "icon.svg"), "<svg/>");
  writeFileSync(path.join(root, "portal-worker.js"), "works");
  writeFileSync(path.join(root, "portal-worker-off.js"), "goes");
  const files = { signIn: ["/assets/first-1.js"], desk: ["/assets/first-1.js", "/assets/desk-2.js"] };
  writeFileSync(path.join(root, "first-files.json"), JSON.stringify(files));
  writeFileSync(path.join(root, "assets/page-1a2b.js"), "plain");
  writeFileSync(path.join(root, "assets/page-1a2b.js.br"), "small");
  writeFileSync(path.join(root, ".build-hash"), "secret");
  const signInOptions = { password: true, provider: { name: 'A"$&<' } };
  await registerWeb(app, {
    root,
    adminEmail: "",
    demo: false,
    portalWorker: true,
    signInOptions,
    readSession,
  });
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const module = (name: string) => `<link rel="modulepreload" crossorigin href="/assets/${name}.js">`;
const get = (url: string, encodings = "") =>
  app.inject({ method: "GET", url, headers: { "accept-encoding": encodings } });

it("caches hashed files forever, and revalidates others", async () => {
  const hashed = await get("/assets/page-1a2b.js");
  expect([hashed.body, hashed.headers["cache-control"]]).toEqual([
    "plain",
    "public, max-age=31536000, immutable",
  ]);
  expect((await get("/assets/page-1a2b.js", "gzip, br")).body).toBe("small");
  const icon = await get("/icon.svg");
  expect([icon.body, icon.headers["cache-control"]]).toEqual(["<svg/>", "no-cache"]);
});

it("serves page and files while the API is overloaded", async () => {
  const busy = fastify();
  registerErrorHandler(busy);
  await busy.register(underPressure, {
    healthCheck: async () => false,
    healthCheckInterval: 60_000,
    pressureHandler: refuseUnderPressure,
  });
  busy.get("/api/leads", async () => []);
  await registerWeb(busy, {
    root,
    adminEmail: "",
    demo: false,
    portalWorker: false,
    signInOptions: { password: true, provider: null },
    readSession,
  });
  const statuses = await Promise.all(
    ["/assets/page-1a2b.js", "/", "/leads", "/api/leads", "/api/nothing"].map((url) => busy.inject(url)),
  );
  expect(statuses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 503, 503]);
  expect(statuses[3]?.headers["retry-after"]).toBe("5");
  // If the service worker is off, its path serves a script that unregisters it; pages do not request it.
  expect((await get("/portal-worker.js")).body).toBe("works");
  const { body, headers } = await busy.inject("/portal-worker.js");
  expect([body, headers["cache-control"]]).toEqual(["goes", "no-cache"]);
  expect(statuses[1]?.body).toContain('data-worker="off"');
  await busy.close();
});

it.each(["/", "/leads", "/assets", "/.build-hash", "/leads/?from=x.js"])(
  "serves the page at %s",
  async (url) => {
    const answer = await get(url);
    const options =
      "{&quot;password&quot;:true,&quot;provider&quot;:{&quot;name&quot;:&quot;A\\&quot;$&amp;&lt;&quot;}}";
    const page = `<html data-session="false" data-worker="on" data-options="${options}" data-screen="signIn">${module("first-1")}</html>`;
    expect([answer.statusCode, answer.body]).toEqual([200, page]);
    expect(answer.headers["cache-control"]).toBe("no-cache");
  },
);

const waiting = "/api/call-logs?needsOutcome=true&limit=50";
it.each([
  ["/", "leads", ["/api/current-user", waiting, "/api/leads?limit=50"]],
  ["/dashboard?status=new", "leads", ["/api/current-user", waiting]],
  ["/reports", "desk", ["/api/current-user"]],
  ["/admin", "none", ["/api/current-user"]],
  ["/choose-password#token", "none", []],
])("preloads on %s what the screen of a signed-in user needs", async (url, screen, reads) => {
  isSignedIn = true;
  const { body } = await get(url);
  isSignedIn = false;
  const files = reads.length > 0 ? ["first-1", "desk-2"] : ["first-1"];
  // With the page's own credentials mode: a preload with another one would be fetched twice.
  const preloads = reads.map(
    (path) => `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${path}">`,
  );
  expect(body).toContain('<html data-session="true"');
  expect(body).toContain(`data-screen="${screen}">${[...files.map(module), ...preloads].join("")}</html>`);
});

it.each(["/api/nothing", "/assets/gone.js", "/..%2f..%2fetc%2fpasswd.txt"])(
  "returns 404 at %s",
  async (url) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain("<html");
  },
);
