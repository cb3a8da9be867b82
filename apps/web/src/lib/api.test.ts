import { makeCall } from "@portal/contract/routes/calls";
import { getLead, listLeads, updateLead } from "@portal/contract/routes/leads";
import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { server } from "../testing/server.ts";
import { ApiError, callRoute, request, routePath, routeUrl, toUrl } from "./api.ts";

const EXPIRED = "Sesión expirada. Por favor recarga la página e inicia sesión nuevamente.";

function answerWith(status: number, body: string, statusText = "") {
  server.use(http.all("/api/probe", () => new HttpResponse(body, { status, statusText })));
}

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`not an ApiError: ${String(error)}`);
  return error;
}

describe("responses", () => {
  it.each([
    { name: "an empty body", status: 200, body: "", message: "Empty response from server" },
    { name: "a blank body", status: 200, body: " \n", message: "Empty response from server" },
    { name: "an HTML page", status: 200, body: "<!DOCTYPE html><html></html>", message: EXPIRED },
    { name: "an HTML page after blanks", status: 200, body: "\n  <html lang='en'>", message: EXPIRED },
    {
      name: "the message of a JSON error",
      status: 403,
      body: '{"message":"Not yours","code":"not_your_lead"}',
      message: "403: Not yours",
    },
    { name: "a text error", status: 502, body: "Bad gateway", message: "502: Bad gateway" },
    {
      name: "the first 200 characters of a long text error",
      status: 500,
      body: "x".repeat(500),
      message: `500: ${"x".repeat(200)}`,
    },
    { name: "an HTML error page", status: 502, body: "<html>proxy</html>", message: `502: ${EXPIRED}` },
    {
      name: "a JSON error without a message",
      status: 500,
      body: '{"oops":1}',
      message: '500: {"oops":1}',
    },
    {
      name: "an error without a body",
      status: 503,
      body: "",
      message: "503: Empty response from server",
    },
  ])("fail with the recorded message for $name", async ({ status, body, message }) => {
    answerWith(status, body);
    const error = await failureOf(request("GET", "/api/probe"));
    expect(error.message).toBe(message);
    expect(error.status).toBe(status);
  });

  it("fail with the parser's message for a body that is not JSON", async () => {
    answerWith(200, "{broken");
    const error = await failureOf(request("GET", "/api/probe"));
    expect(error.message).toMatch(/^Error procesando respuesta del servidor: .+/);
  });

  it.each([
    { body: '{"a":1}', data: { a: 1 } },
    { body: "null", data: null },
    { body: "[]", data: [] },
  ])("read $body as JSON whatever its content type", async ({ body, data }) => {
    answerWith(200, body);
    expect((await request("GET", "/api/probe")).data).toEqual(data);
  });

  it("keep code and body of a refusal", async () => {
    answerWith(429, '{"message":"Wait","code":"too_many_attempts","retryAfterSeconds":90}');
    const error = await failureOf(request("POST", "/api/probe"));
    expect(error).toMatchObject({
      code: "too_many_attempts",
      text: "Wait",
      body: { retryAfterSeconds: 90 },
    });
  });
});

describe("requests", () => {
  async function sent(method: string, body?: unknown): Promise<Request> {
    let seen: Request | undefined;
    server.use(
      http.all("/api/probe", ({ request: received }) => {
        seen = received.clone();
        return HttpResponse.json({});
      }),
    );
    await request(method, "/api/probe", body === undefined ? {} : { body });
    if (!seen) throw new Error("nothing was sent");
    return seen;
  }

  it.each([
    { method: "GET", body: undefined, type: null },
    { method: "POST", body: undefined, type: null },
    { method: "POST", body: { a: 1 }, type: "application/json" },
    { method: "PATCH", body: null, type: "application/json" },
  ])("send $method with body $body and content type $type", async ({ method, body, type }) => {
    const received = await sent(method, body);
    expect(received.headers.get("content-type")).toBe(type);
    expect(await received.text()).toBe(body === undefined ? "" : JSON.stringify(body));
  });
});

it("every request includes the session's credentials", async () => {
  answerWith(200, "{}");
  const sent = vi.spyOn(globalThis, "fetch");
  await request("GET", "/api/probe");
  await request("POST", "/api/probe", { body: {} });
  expect(sent.mock.calls.map(([, init]) => init?.credentials)).toEqual(["include", "include"]);
});

describe("URLs of requests", () => {
  it.each([
    { query: undefined, url: "/api/leads" },
    { query: {}, url: "/api/leads" },
    { query: { search: "", status: null, priority: undefined }, url: "/api/leads" },
    {
      query: { search: "a b&c", limit: 0, open: false },
      url: "/api/leads?search=a+b%26c&limit=0&open=false",
    },
  ])("turn $query into $url", ({ query, url }) => {
    expect(toUrl("/api/leads", query)).toBe(url);
  });

  it("fill the path's placeholders, encoded", () => {
    expect(routePath(getLead, { id: "5/../6" })).toBe("/api/leads/5%2F..%2F6");
    expect(routeUrl(getLead, { params: { id: 5 } })).toBe("/api/leads/5");
    expect(routeUrl(listLeads, { query: { status: "new", search: "" } })).toBe("/api/leads?status=new");
  });

  it("reject a path with an unfilled placeholder", () => {
    expect(() => routePath(getLead)).toThrow("No value for :id of /api/leads/:id");
  });
});

describe("callRoute", () => {
  it("sends method, path, query and body of the contract route", async () => {
    let body: unknown;
    server.use(
      http.patch("/api/leads/7", async ({ request: received }) => {
        body = await received.json();
        return HttpResponse.json({ id: 7 });
      }),
    );
    const lead = await callRoute(updateLead, { params: { id: 7 }, body: { status: "contacted" } });
    expect(lead.id).toBe(7);
    expect(body).toEqual({ status: "contacted" });
  });

  it("fails with a TypeError when the server cannot be reached", async () => {
    server.use(http.post("/api/make-call", () => HttpResponse.error()));
    await expect(callRoute(makeCall, { body: { leadId: 1 } })).rejects.toBeInstanceOf(TypeError);
  });
});

it("a request is marked as idle from one minute after the user's last activity", async () => {
  const said: (string | null)[] = [];
  server.use(
    http.get("/api/probe", ({ request: received }) => {
      said.push(received.headers.get("x-portal-idle"));
      return HttpResponse.json({});
    }),
  );
  const touchedAt = performance.now();
  window.dispatchEvent(new Event("keydown"));
  const clock = vi.spyOn(performance, "now");
  for (const later of [59_000, 61_000]) {
    clock.mockReturnValue(touchedAt + later);
    await request("GET", "/api/probe");
  }
  window.dispatchEvent(new Event("pointermove"));
  await request("GET", "/api/probe");
  expect(said).toEqual([null, "1", null]);
});
