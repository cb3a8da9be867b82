import { afterEach, expect, it, vi } from "vitest";
import { startTestSandbox } from "../../testing/sandbox.ts";
import { freePort, type ServerProcess, startServer } from "../../testing/server-process.ts";
import { createTestDatabase } from "../../testing/test-database.ts";

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

it("two processes refresh an expired token once between them, every time", async () => {
  const database = await createTestDatabase();
  const sandbox = await startTestSandbox({ ghlRateLimit: false });
  closing.push(database.drop, sandbox.close);
  const start = async () => {
    const env = { DATABASE_URL: database.url, PORT: String(await freePort()), DEMO_HISTORY: "off" };
    const server = startServer({ ...sandbox.env, ...env, LOG_LEVEL: "silent" });
    closing.push(server.kill);
    await server.untilHealthy();
    return server;
  };
  const servers = [await start(), await start()];
  const [first] = servers as [ServerProcess, ServerProcess];
  const cookie = await first.signIn("admin@portal.test", "portal-admin");
  const ask = async (server: ServerProcess, path: string, method = "GET") => {
    const answer = await fetch(`${server.url}${path}`, { method, headers: { cookie } });
    return (await answer.json()) as Record<string, string>;
  };

  // Tokens are only valid for a moment.
  await sandbox.control("POST", "/ghl/app", { expiresIn: 0.4 });
  const { installUrl } = await ask(first, "/api/crm/install", "POST");
  const form = new URLSearchParams({
    request: new URL(String(installUrl)).search.slice(1),
    location: "loc0000000000000001",
    decision: "install",
  });
  const page = await fetch(`${sandbox.url}/ghl-marketplace/install`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  const { pathname, search } = new URL(String(page.headers.get("location")));
  const back = await fetch(`${first.url}${pathname}${search}`, { headers: { cookie }, redirect: "manual" });
  expect(back.headers.get("location")).toBe("/integrations?crm=connected");

  const renewals = await vi.waitFor(
    async () => {
      const looks = servers.flatMap((server) => [server, server]);
      await Promise.all(looks.map((server) => ask(server, "/api/diagnostics/ghl")));
      const { requests } = await sandbox.control("GET", "/requests?vendor=ghl&path=/oauth/token");
      const seen = requests.filter(
        ({ body }: { body: Record<string, string> }) => body.grant_type === "refresh_token",
      );
      expect(seen.length).toBeGreaterThanOrEqual(3);
      return seen;
    },
    // The interval is longer than a token is valid.
    { timeout: 60_000, interval: 500 },
  );
  expect(renewals.every(({ status }: { status: number }) => status === 200)).toBe(true);
  const used = renewals.map(({ body }: { body: Record<string, string> }) => body.refresh_token);
  expect(new Set(used).size).toBe(used.length);
  for (const server of servers)
    expect(await ask(server, "/api/crm/connection")).toMatchObject({ way: "app", app: { lost: null } });
});
