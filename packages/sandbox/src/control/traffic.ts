import type { FastifyInstance } from "fastify";
import { type FaultRule, type LatencyRule, type Vendor, vendors } from "../faults.ts";
import type { Sandbox } from "../sandbox.ts";
import { NO_WEBHOOK_RULES } from "../twilio/outbox.ts";
import { PRICE_RULES } from "../twilio/prices.ts";
import { bodyOf, ControlError, numberIn, textIn } from "./input.ts";

/** Failures, delays, lost webhooks, recorded requests, the clock and reset. */
export function trafficControl(app: FastifyInstance, sandbox: Sandbox): void {
  const { faults, outbox } = sandbox;

  app.post("/control/fail", async (request) => {
    const body = bodyOf(request);
    const rule: FaultRule = {
      vendor: vendorOf(body.vendor),
      match: textIn(body, "match"),
      method: textIn(body, "method"),
      count: numberIn(body, "count", 1),
      status: numberIn(body, "status", 500),
      body: body.body,
      retryAfterSeconds: numberIn(body, "retryAfterSeconds", 0),
      afterAct: body.afterAct === true,
      html: body.html === true,
      hang: body.hang === true,
      reset: body.reset === true,
    };
    faults.rules.push(rule);
    return { rules: faults.rules };
  });

  app.delete("/control/fail", async () => {
    faults.rules = [];
    return { rules: faults.rules };
  });

  app.post("/control/latency", async (request) => {
    const body = bodyOf(request);
    const rule: LatencyRule = {
      vendor: vendorOf(body.vendor),
      match: textIn(body, "match"),
      method: textIn(body, "method"),
      ms: numberIn(body, "ms", 0),
      count: body.count === undefined ? null : numberIn(body, "count", 1),
    };
    faults.latencies.push(rule);
    return { rules: faults.latencies };
  });

  app.delete("/control/latency", async () => {
    faults.endLatency();
    return { rules: faults.latencies };
  });

  app.post("/control/webhooks", async (request) => {
    const body = bodyOf(request);
    outbox.rules = {
      drop: numberIn(body, "drop", NO_WEBHOOK_RULES.drop),
      repeat: numberIn(body, "repeat", NO_WEBHOOK_RULES.repeat),
      shuffle: numberIn(body, "shuffle", NO_WEBHOOK_RULES.shuffle),
      delayMs: numberIn(body, "delayMs", NO_WEBHOOK_RULES.delayMs),
      match: textIn(body, "match") ?? NO_WEBHOOK_RULES.match,
    };
    return outbox.rules;
  });

  app.post("/control/outage", async (request) => {
    const body = bodyOf(request);
    sandbox.outage.rule = {
      match: textIn(body, "match") ?? "",
      count: numberIn(body, "count", 1),
      status: body.status === undefined ? null : numberIn(body, "status", 503),
      afterAct: body.afterAct === true,
    };
    return sandbox.outage.rule;
  });

  app.get("/control/webhooks", async () => ({ rules: outbox.rules, counts: outbox.counts }));

  app.post("/control/media", async (request) => {
    const body = bodyOf(request);
    const { range = sandbox.media.range } = body;
    if (typeof range !== "boolean") throw new ControlError("range must be true or false");
    const redirect =
      body.redirect === undefined ? sandbox.media.redirect : (textIn(body, "redirect") ?? null);
    Object.assign(sandbox.media, { range, redirect });
    return sandbox.media;
  });

  app.post("/control/transcription", async (request) => {
    const { englishOnly } = bodyOf(request);
    if (typeof englishOnly !== "boolean") throw new ControlError("englishOnly must be true or false");
    return Object.assign(sandbox.engine.exchange.transcription, { englishOnly });
  });

  app.post("/control/prices", async (request) => {
    const body = bodyOf(request);
    const { afterMs } = PRICE_RULES;
    sandbox.prices.afterMs =
      body.afterSeconds === null ? null : numberIn(body, "afterSeconds", (afterMs ?? 0) / 1_000) * 1_000;
    return sandbox.prices;
  });

  app.get<{ Querystring: { vendor?: string; path?: string } }>("/control/requests", async ({ query }) => ({
    requests: faults.requests.filter(
      (seen) => (!query.vendor || seen.vendor === query.vendor) && seen.path.includes(query.path ?? ""),
    ),
  }));

  app.delete("/control/requests", async () => {
    faults.requests = [];
    return { requests: [] };
  });

  app.post("/control/speed", async (request) => {
    const speed = numberIn(bodyOf(request), "speed", 1);
    if (speed < 0.1 || speed > 1_000) throw new ControlError("speed must lie between 0.1 and 1000");
    sandbox.setSpeed(speed);
    sandbox.changed();
    return { speed };
  });

  app.post("/control/clock", async (request) => {
    const minutes = numberIn(bodyOf(request), "minutes", 0);
    sandbox.turnClock(minutes * 60_000);
    return { minutes };
  });

  app.post("/control/reset", async () => {
    sandbox.reset();
    return { status: "ok" };
  });
}

function vendorOf(vendor: unknown): Vendor {
  const known = vendors.find((each) => each === vendor);
  if (known) return known;
  throw new ControlError(`vendor must be one of ${vendors.join(", ")}`);
}
