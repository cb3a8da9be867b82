import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { CrmPace } from "../../ports/crm.ts";
import type { ProviderError } from "../../ports/provider-error.ts";
import { createGoHighLevel } from "./crm.ts";

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** The adapter in front of a vendor that behaves as told; `held` are the silences that it asked all processes for. */
async function facing(vendor: RequestListener) {
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
    crm: createGoHighLevel({ baseUrl, token: "pit-1", locationId: "loc1", pace, timeoutMs: 300 }),
    held,
  };
}

const failure = (work: Promise<unknown>): Promise<ProviderError> =>
  work.then(
    () => Promise.reject(new Error("it did not fail")),
    (error) => error,
  );

describe("what the vendor may answer", () => {
  it("sends key, version and location as the vendor wants them", async () => {
    const seen: unknown[] = [];
    const { crm } = await facing((request, response) => {
      seen.push([request.url, request.headers.authorization, request.headers.version]);
      response.end(JSON.stringify({ users: [{ id: "u1", email: "A@example.com" }], messages: [] }));
    });
    expect(await crm.listUsers()).toEqual([{ id: "u1", name: "u1", email: "a@example.com" }]);
    await crm.callPage({ cursor: null });
    expect(seen).toEqual([
      ["/ghl/users/?locationId=loc1", "Bearer pit-1", "2021-07-28"],
      [
        expect.stringMatching(/^\/ghl\/conversations\/messages\/export\?locationId=loc1/),
        "Bearer pit-1",
        "2021-04-15",
      ],
    ]);
  });

  it.each([
    ["half an answer", '{"users": [{"id": "u1"'],
    ["a page", "<!doctype html><h1>Bad Gateway</h1>"],
    ["nothing", ""],
    ["another shape", '{"users": {"id": "u1"}}'],
  ])("calls %s unavailable", async (_name, body) => {
    const { crm } = await facing((_request, response) => void response.end(body));
    expect(await failure(crm.listUsers({ once: true }))).toMatchObject({ kind: "unavailable" });
  });

  it("gives up on an answer above 10 MB before it is whole", async () => {
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

  it("gives up on a vendor that says nothing, or only drips", async () => {
    const { crm } = await facing((request, response) => {
      if (request.url?.includes("export")) return;
      response.write('{"users": [');
      const drip = setInterval(() => response.write(" "), 20);
      response.once("close", () => clearInterval(drip));
    });
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
    expect(await failure(crm.listUsers())).toMatchObject({ kind: "invalid" });
    expect(paths).toHaveLength(1);
  });

  it("waits as told by a 429, and lets all processes wait", async () => {
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

  it("waits for no tomorrow when the day's requests are used up, and lets no process ask before", async () => {
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
    "takes %i for %s and asks %i times",
    async (status, kind, times) => {
      let asked = 0;
      const { crm } = await facing((_request, response) => {
        asked += 1;
        response.writeHead(status).end(JSON.stringify({ statusCode: status, message: ["secret details"] }));
      });
      const error = await failure(crm.listUsers());
      expect(error.kind).toBe(kind);
      expect(error.message).not.toContain("secret");
      expect(asked).toBe(times);
    },
    20_000,
  );

  it("sends a write once, whatever comes back", async () => {
    let asked = 0;
    const { crm } = await facing((_request, response) => {
      asked += 1;
      response.writeHead(500).end("{}");
    });
    await failure(crm.updateContact("ct1", { name: { name: "A B", firstName: "A", lastName: "B" } }));
    expect(asked).toBe(1);
  });

  it("leaves a vendor in peace that failed five times in a row", async () => {
    let asked = 0;
    const { crm } = await facing((_request, response) => {
      asked += 1;
      response.writeHead(500).end("{}");
    });
    for (let n = 0; n < 8; n += 1) await failure(crm.listUsers({ once: true }));
    expect(asked).toBe(5);
  });

  it("does not read a page for ever that ends where it began", async () => {
    const searchAfter = [1, "ct1"];
    const { crm } = await facing((request, response) => {
      const contacts = [{ id: "ct1", firstName: "Ana", searchAfter }];
      response.end(JSON.stringify(request.method === "POST" ? { contacts } : { customFields: [] }));
    });
    expect((await crm.contactPage({ cursor: null })).next).toEqual(searchAfter);
    expect((await crm.contactPage({ cursor: searchAfter })).next).toBeNull();
  });
});
