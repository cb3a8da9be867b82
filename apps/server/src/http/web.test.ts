import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fastify } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Session } from "./session.ts";
import { registerWeb } from "./web.ts";

const root = mkdtempSync(path.join(tmpdir(), "portal-web-"));
const app = fastify();
let isSignedIn = false;
const readSession = async () => (isSignedIn ? ({ userId: 1 } as unknown as Session) : null);

beforeAll(async () => {
  mkdirSync(path.join(root, "assets"));
  const page =
    '<html data-session="__HAS_SESSION__" data-options="__SIGN_IN_OPTIONS__" data-files="__FIRST_FILES__"><!--first-paint--></html>';
  writeFileSync(path.join(root, "index.html"), page);
  writeFileSync(path.join(root, "icon.svg"), "<svg/>");
  const files = { signIn: ["/assets/first-1.js"], desk: ["/assets/first-1.js", "/assets/desk-2.js"] };
  writeFileSync(path.join(root, "first-files.json"), JSON.stringify(files));
  const outlines = { bothSignIn: "<i>sign in $&</i>", desk: "<i>desk</i>", leads: "<i>leads</i>" };
  writeFileSync(path.join(root, "first-paints.json"), JSON.stringify(outlines));
  writeFileSync(path.join(root, "assets/page-1a2b.js"), "plain");
  writeFileSync(path.join(root, "assets/page-1a2b.js.br"), "small");
  writeFileSync(path.join(root, ".build-hash"), "secret");
  const signInOptions = { password: true, provider: { name: 'A"$&<' } };
  await registerWeb(app, { root, adminEmail: "", demo: false, signInOptions, readSession });
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const get = (url: string, encodings = "") =>
  app.inject({ method: "GET", url, headers: { "accept-encoding": encodings } });

it("keeps hashed files for ever, and asks for others anew", async () => {
  const hashed = await get("/assets/page-1a2b.js");
  expect([hashed.body, hashed.headers["cache-control"]]).toEqual([
    "plain",
    "public, max-age=31536000, immutable",
  ]);
  expect((await get("/assets/page-1a2b.js", "gzip, br")).body).toBe("small");
  const icon = await get("/icon.svg");
  expect([icon.body, icon.headers["cache-control"]]).toEqual(["<svg/>", "no-cache"]);
});

it.each(["/", "/leads", "/assets", "/.build-hash", "/leads/?from=x.js"])(
  "serves the page at %s",
  async (url) => {
    const answer = await get(url);
    const options =
      "{&quot;password&quot;:true,&quot;provider&quot;:{&quot;name&quot;:&quot;A\\&quot;$&amp;&lt;&quot;}}";
    const page = `<html data-session="false" data-options="${options}" data-files="/assets/first-1.js"><i>sign in $&</i></html>`;
    expect([answer.statusCode, answer.body]).toEqual([200, page]);
    expect(answer.headers["cache-control"]).toBe("no-cache");
  },
);

it.each([
  ["/", "<i>leads</i>"],
  ["/dashboard?status=new", "<i>leads</i>"],
  ["/reports", "<i>desk</i>"],
  ["/admin", ""],
])("begins %s with what the screen of somebody signed in needs", async (url, outline) => {
  isSignedIn = true;
  const { body } = await get(url);
  isSignedIn = false;
  expect(body).toContain('<html data-session="true"');
  expect(body).toContain(`data-files="/assets/first-1.js /assets/desk-2.js">${outline}</html>`);
});

it("begins a sign-in that has something to say without an outline", async () => {
  expect((await get("/?login_error=unknown_user")).body).toContain('data-files="/assets/first-1.js"></html>');
});

it("begins the page of a password link with its own, signed in or not", async () => {
  isSignedIn = true;
  const { body } = await get("/choose-password#token");
  isSignedIn = false;
  expect(body).toContain('data-files="/assets/first-1.js"></html>');
});

it.each(["/api/nothing", "/assets/gone.js", "/..%2f..%2fetc%2fpasswd.txt"])(
  "has nothing at %s",
  async (url) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain("<html");
  },
);
