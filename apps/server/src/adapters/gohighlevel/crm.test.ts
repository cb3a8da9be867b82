import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { type CrmPace, fixedAccess } from "../../ports/crm.ts";
import type { ProviderError } from "../../ports/provider-error.ts";
import { createGoHighLevel } from "./crm.ts";

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** The adapter with a vendor that responds as given. `held` are the seconds for which it stopped all processes. */
async function facing(vendor: RequestListener, { timeoutMs = 60_000, pageTimeoutMs = 60_000 } = {}) {
  const held: number[] = [];
  const pace: CrmPace = {
    turn: async () => 0,
    hold: async (seconds) => void held.push(seconds),
  };
  server = createServer(vendor);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/ghl`;
  return {
    crm: createGoHighLevel({
      baseUrl,
      access: fixedAccess({ token: "pit-1", locationId: "loc1" }),
      pace,
      timeoutMs,
      pageTimeoutMs,
    }),
    held,
  };
}

const failure = (work: Promise<unknown>): Promise<ProviderError> =>
  work.then(
    () => Promise.reject(new Error("it did not fail")),
    (error) => error,
  );

describe("the GoHighLevel client", () => {
  it("sends key, version and location as the vendor requires", async () => {
    const seen: unknown[] = [];
    const { crm } = await facing((request, response) => {
      seen.push([request.url, request.headers.authorization, request.headers.version]);
      response.end(JSON.stringify({ users: [{ id: "u1", email: "A@example.com" }], messages: [] }));
    });
    expect(await crm.listUsers()).toEqual([{ id: "u1", name: "u1", email: "a@example.com" }]);
    await crm.callPage({ cursor: null });
    expect(seen).toEqual([
      ["/ghl/locations/loc1", "Bearer pit-1", "2021-07-28"],
      ["/ghl/users/?locationId=loc1", "Bearer pit-1", "2021-07-28"],
      [
        expect.stringMatching(/^\/ghl\/conversations\/messages\/export\?locationId=loc1/),
        "Bearer pit-1",
        "2021-04-15",
      ],
    ]);
  });

  it.each([
    ["half a response", '{"users": [{"id": "u1"'],
    ["an HTML page", "<!doctype html><h1>Bad Gateway</h1>"],
    ["nothing", ""],
    ["an unexpected shape", '{"users": {"id": "u1"}}'],
  ])("reports %s as unavailable", async (_name, body) => {
    const { crm } = await facing((_request, response) => void response.end(body));
    expect(await failure(crm.listUsers({ once: true }))).toMatchObject({ kind: "unavailable" });
  });

  it("does not report a contact as missing when the custom fields of its location are not found", async () => {
    const { crm } = await facing((request, response) => {
      response.statusCode = request.url?.includes("customFields") ? 404 : 200;
      response.end(JSON.stringify({ contact: { id: "c1" }, message: "Not found" }));
    });
    expect(await failure(crm.readContact("c1"))).toMatchObject({ kind: "unavailable" });
  });

  it("stops reading a response above 10 MB before it is complete", async () => {
    let sent = 0;
    const { crm } = await facing((_request, response) => {
      const more = () => {
        while (!response.destroyed && sent < 100 * 1024 * 1024) {
          sent += 1024 * 1024;
          if (!response.write(" ".repeat(1024 * 1024))) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    });
    expect(await failure(crm.listUsers({ once: true }))).toMatchObject({ kind: "unavailable" });
    expect(sent).toBeLessThan(40 * 1024 * 1024);
  });

  it("times out when the vendor sends nothing or only a trickle", async () => {
    const { crm } = await facing(
      (request, response) => {
        if (request.url?.includes("export")) return;
        response.write('{"users": [');
        const drip = setInterval(() => response.write(" "), 20);
        response.once("close", () => clearInterval(drip));
      },
      { timeoutMs: 300 },
    );
    expect(await failure(crm.listUsers({ once: true }))).toMatchObject({
      kind: "unavailable",
      ambiguous: true,
    });
    const silent = await failure(
      crm.updateContact("ct1", { name: { name: "A B", firstName: "A", lastName: "B" } }),
    );
    expect(silent).toMatchObject({ kind: "unavailable", ambiguous: true });
  });

  it("does not follow a redirect", async () => {
    const paths: string[] = [];
    const { crm } = await facing((request, response) => {
      paths.push(request.url ?? "");
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    expect(await failure(crm.callPage({ cursor: null }))).toMatchObject({ kind: "invalid" });
    expect(paths).toHaveLength(1);
  });

  it("waits as long as a 429 says, and makes all processes wait", async () => {
    let asked = 0;
    const { crm, held } = await facing((_request, response) => {
      asked += 1;
      if (asked > 2) return void response.end('{"users": []}');
      const headers = asked === 1 ? { "retry-after": "7" } : { "x-ratelimit-interval-milliseconds": "4000" };
      response.writeHead(429, headers).end('{"statusCode":429,"message":"Too Many Requests"}');
    });
    expect(await crm.listUsers()).toEqual([]);
    expect(held).toEqual([7, 4]);
  });

  it("does not wait until tomorrow when the daily limit is used up, and blocks all processes until then", async () => {
    let asked = 0;
    const { crm, held } = await facing((_request, response) => {
      asked += 1;
      const headers = { "x-ratelimit-daily-remaining": "0", "x-ratelimit-daily-reset": "3600000" };
      response.writeHead(429, headers).end("{}");
    });
    expect(await failure(crm.listUsers())).toMatchObject({ kind: "rate-limited", retryAfterSeconds: 3600 });
    expect([asked, held]).toEqual([1, [3600]]);
  });

  it.each([
    [401, "auth", 1],
    [403, "auth", 1],
    [404, "not-found", 1],
    [422, "invalid", 1],
    [500, "unavailable", 5],
  ])(
    "maps %i to %s and sends %i requests",
    async (status, kind, times) => {
      let asked = 0;
      const { crm } = await facing((_request, response) => {
        asked += 1;
        response.writeHead(status).end(JSON.stringify({ statusCode: status, message: ["secret details"] }));
      });
      const error = await failure(crm.callPage({ cursor: null }));
      expect(error.kind).toBe(kind);
      expect(error.message).not.toContain("secret");
      expect(asked).toBe(times);
    },
    20_000,
  );

  it("sends a write once, whatever the response", async () => {
    let asked = 0;
    const { crm } = await facing((_request, response) => {
      asked += 1;
      response.writeHead(500).end("{}");
    });
    await failure(crm.updateContact("ct1", { name: { name: "A B", firstName: "A", lastName: "B" } }));
    expect(asked).toBe(1);
  });

  it("stops requests after five failures in a row", async () => {
    let asked = 0;
    const { crm } = await facing((_request, response) => {
      asked += 1;
      response.writeHead(500).end("{}");
    });
    for (let n = 0; n < 8; n += 1) await failure(crm.listUsers({ once: true }));
    expect(asked).toBe(5);
  });

  it("waits longer for a page, and requests smaller pages after timeouts until the next full sync", async () => {
    const asked: number[] = [];
    const { crm } = await facing(
      async (request, response) => {
        if (request.method !== "POST") return void response.end('{"customFields": []}');
        const { pageLimit } = (await json(request)) as { pageLimit: number };
        asked.push(pageLimit);
        if (pageLimit === 200) response.writeHead(504).end("{}");
        if (pageLimit > 100) return;
        const contacts = [{ id: "ct1", firstName: "Ana", searchAfter: [asked.length, "ct1"] }];
        setTimeout(() => response.end(JSON.stringify({ contacts })), 400);
      },
      { timeoutMs: 300, pageTimeoutMs: 2_000 },
    );
    const { next } = await crm.contactPage({ cursor: null });
    await crm.contactPage({ cursor: next });
    await crm.contactPage({ cursor: null, changedSince: new Date() });
    expect([...new Set(asked)]).toEqual([500, 200, 100]);
    expect(asked.slice(-3)).toEqual([100, 100, 100]);
    await crm.contactPage({ cursor: null });
    expect(asked.lastIndexOf(500)).toBeGreaterThan(3);
  }, 60_000);

  it("splits a page above the size limit into smaller ones, and only that page", async () => {
    const asked: number[] = [];
    const { crm } = await facing(async (request, response) => {
      if (request.method !== "POST") return void response.end('{"customFields": []}');
      const { pageLimit, searchAfter } = (await json(request)) as {
        pageLimit: number;
        searchAfter?: unknown;
      };
      asked.push(pageLimit);
      // Three contacts of 4 MB each, then small ones.
      const count = searchAfter ? pageLimit : Math.min(pageLimit, 3);
      const contacts = Array.from({ length: count }, (_, n) => ({
        id: `ct${asked.length}-${n}`,
        firstName: "Ana",
        address1: searchAfter ? "" : "x".repeat(4_000_000),
        searchAfter: [asked.length, `ct${n}`],
      }));
      response.end(JSON.stringify({ contacts }));
    });
    const first = await crm.contactPage({ cursor: null });
    expect([first.found.length, asked]).toEqual([1, [500, 200, 100, 10, 1]]);
    expect((await crm.contactPage({ cursor: first.next })).found).toHaveLength(500);
  }, 60_000);

  it("retries a page that repeats the one before, and does not take a persistent repeat for the end", async () => {
    const page = (at: number, count = 500) =>
      Array.from({ length: count }, (_, n) => ({
        id: `ct${at}-${n}`,
        firstName: "Ana",
        searchAfter: [at, `ct${n}`],
      }));
    let repeats = 1;
    const { crm } = await facing(async (request, response) => {
      if (request.method !== "POST") return void response.end('{"customFields": []}');
      const { searchAfter } = (await json(request)) as { searchAfter?: [number, string] };
      const isRepeated = searchAfter?.[0] === 1 && repeats > 0;
      if (isRepeated) repeats -= 1;
      const at = isRepeated ? 1 : (searchAfter?.[0] ?? 0) + 1;
      response.end(JSON.stringify({ contacts: at > 2 ? [] : page(at) }));
    });
    const first = await crm.contactPage({ cursor: null });
    const second = await crm.contactPage({ cursor: first.next });
    expect(second.found[0]).toMatchObject({ id: "ct2-0" });
    expect((await crm.contactPage({ cursor: second.next })).next).toBeNull();
    repeats = 2;
    expect(await failure(crm.contactPage({ cursor: first.next }))).toMatchObject({ kind: "unavailable" });
  });

  it("finds every user of the location by searching its company, page by page", async () => {
    const everyone = Array.from({ length: 60 }, (_, index) => ({ id: `u${index}`, deleted: index === 7 }));
    const asked: string[] = [];
    const { crm } = await facing((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://vendor");
      asked.push(pathname);
      if (pathname === "/ghl/locations/loc1") return void response.end('{"location":{"companyId":"com1"}}');
      expect(searchParams.get("companyId")).toBe("com1");
      expect(searchParams.get("locationId")).toBe("loc1");
      const skip = Number(searchParams.get("skip"));
      // The vendor returns smaller pages than requested.
      response.end(JSON.stringify({ users: everyone.slice(skip, skip + 25), count: 60 }));
    });
    expect(await crm.listUsers()).toHaveLength(59);
    expect(await crm.listUsers()).toHaveLength(59);
    expect(asked.filter((path) => path.includes("locations"))).toHaveLength(1);
    expect(asked.filter((path) => path === "/ghl/users/search")).toHaveLength(6);
  });

  it("does not take a full page for the last one when it lacks a cursor", async () => {
    const { crm } = await facing(async (request, response) => {
      if (request.method !== "POST") return void response.end('{"customFields": []}');
      const { pageLimit } = (await json(request)) as { pageLimit: number };
      const contacts = Array.from({ length: pageLimit }, (_, n) => ({
        id: `ct${n}`,
        dateUpdated: "2026-01-01",
      }));
      response.end(JSON.stringify({ contacts, total: 50_000 }));
    });
    expect(await failure(crm.contactPage({ cursor: null }))).toMatchObject({ kind: "unavailable" });
    const since = new Date("2026-02-01");
    expect((await crm.contactPage({ cursor: null, changedSince: since })).next).toBeNull();
  });

  it("takes a page whose cursor does not advance for the last one", async () => {
    const searchAfter = [1, "ct1"];
    const { crm } = await facing((request, response) => {
      const contacts = [{ id: "ct1", firstName: "Ana", searchAfter }];
      response.end(JSON.stringify(request.method === "POST" ? { contacts } : { customFields: [] }));
    });
    expect((await crm.contactPage({ cursor: null })).next).toEqual(searchAfter);
    expect((await crm.contactPage({ cursor: searchAfter })).next).toBeNull();
  });
});
