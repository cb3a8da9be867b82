import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../testing/call-harness.ts";

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const bodies: string[] = [];
const keys: unknown[] = [];
/** A collector that receives spans: OTLP over HTTP, in JSON. */
const collector = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    if (request.url === "/v1/traces") bodies.push(body);
    keys.push(request.headers.authorization);
    response.setHeader("content-type", "application/json").end("{}");
  });
});
let desk: CallHarness;

beforeAll(async () => {
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  const { port } = collector.address() as AddressInfo;
  desk = await openCallHarness({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector",
    },
  });
});
afterAll(async () => {
  await desk.close();
  collector.close();
});

const received = (): ReceivedSpan[] =>
  bodies.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: ReceivedSpan[] }[] }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
const factOf = ({ attributes }: ReceivedSpan, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? Number(value?.intValue);
};

it("a call is one trace from the click to the callbacks (route, SQL, Twilio) without personal data", async () => {
  const rep = await desk.signInRep("answers", { name: "Canary Person" });
  const lead = await desk.leadOf(rep, "answers", { firstName: "Canary", lastName: "Lead" });
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const { status, body } = await desk.portal.request("POST", "/api/make-call", {
    body: { leadId: lead.id },
    cookie: rep.cookie,
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  });
  expect(status).toBe(200);
  await desk.untilSettled(rep, body.callId);

  const mine = () => received().filter((span) => span.traceId === traceId);
  const named = (name: string) => mine().find((span) => span.name === name);
  const [route, vendor] = await eventually("the spans of the call", () => {
    const made = named("POST /api/make-call");
    const asked = mine().find(
      ({ name, parentSpanId }) => name === "twilio request" && parentSpanId === made?.spanId,
    );
    const callbacks = ["answered", "rep-status"].map((path) => named(`POST /api/twilio/voice/${path}`));
    return made && asked && callbacks.every(Boolean) && [made, asked];
  });
  expect(route.parentSpanId).toBe("b7ad6b7169203331");
  const statements = mine().filter(
    ({ parentSpanId, name }) => parentSpanId === route.spanId && name !== vendor.name,
  );
  expect(statements.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["begin", "insert", "commit", "select"]),
  );
  const texts = statements.map((span) => String(factOf(span, "db.query.text")));
  expect(texts).toContainEqual(expect.stringMatching(/^insert into calls \(lead_id, user_id, rep_number/));
  // Spans found by the call's id: the request that created it and its callbacks.
  const ofCall = mine().filter((span) => factOf(span, "portal.call_id") === body.callId);
  expect(ofCall.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "POST /api/make-call",
      "POST /api/twilio/voice/answered",
      "POST /api/twilio/voice/rep-status",
    ]),
  );
  expect(keys.every((key) => key === "Bearer collector")).toBe(true);

  const all = bodies.join();
  for (const personal of [lead.phoneE164, await desk.repNumber(rep), rep.user.email, "Canary"])
    expect(all).not.toContain(String(personal).replace("+", ""));
  expect(all).not.toContain(rep.cookie.split("=")[1]?.slice(0, 20));
});

it("an invalid trace header is ignored, and reads start their own trace", async () => {
  const rep = await desk.signInRep();
  const before = received().length;
  await desk.portal.request("GET", "/api/leads", {
    cookie: rep.cookie,
    headers: { traceparent: "00-zzz-1-01" },
  });
  const span = await eventually("the span of the read", () =>
    received()
      .slice(before)
      .find(({ name }) => name === "GET /api/leads"),
  );
  expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(span.parentSpanId ?? "").toBe("");
});
