import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

export const vendors = ["twilio", "ghl", "google", "login", "push"] as const;
export type Vendor = (typeof vendors)[number];

interface Match {
  vendor: Vendor;
  /** A substring of the path; without it every path matches. */
  match?: string;
  method?: string;
}

/** How the next `count` matching requests fail. */
export interface FaultRule extends Match {
  count: number;
  status: number;
  body?: unknown;
  /** Sent as Retry-After. */
  retryAfterSeconds?: number;
  /** The request is carried out before its response fails. */
  afterAct: boolean;
  /** Responds with an HTML page, as a proxy would. */
  html: boolean;
  /** Never responds. */
  hang: boolean;
  /** Closes the connection without a response. */
  reset: boolean;
}

/** Real milliseconds for which matching requests are delayed; `count` null means until cleared. */
export interface LatencyRule extends Match {
  ms: number;
  count: number | null;
}

export interface SeenRequest {
  id: number;
  time: string;
  vendor: Vendor;
  method: string;
  path: string;
  query: unknown;
  version?: string;
  body: unknown;
  status: number;
}

const KEPT_REQUESTS = 5_000;
const pending = new WeakMap<FastifyRequest, FaultRule>();
const seen = new WeakMap<FastifyRequest, SeenRequest>();

/** Simulated failures and recorded requests; in memory only. */
export class Faults {
  rules: FaultRule[] = [];
  latencies: LatencyRule[] = [];
  requests: SeenRequest[] = [];
  #lastId = 0;
  #hurry = new AbortController();

  clear(): void {
    this.rules = [];
    this.requests = [];
    this.endLatency();
  }

  /** Removes every latency; delayed requests continue at once. */
  endLatency(): void {
    this.latencies = [];
    this.#hurry.abort();
    this.#hurry = new AbortController();
  }

  /** Applies the rules to the routes of one vendor; `errorBody` is that vendor's own error. */
  guard(app: FastifyInstance, vendor: Vendor, errorBody: (status: number, path: string) => unknown): void {
    app.addHook("preHandler", async (request, reply) => {
      this.#record(vendor, request);
      const latency = take(this.latencies, vendor, request);
      // Rejects if the latency is removed meanwhile; the request continues in either case.
      if (latency) await sleep(latency.ms, undefined, this.#hurry).catch(() => undefined);
      const rule = take(this.rules, vendor, request);
      if (!rule) return;
      if (rule.afterAct) pending.set(request, rule);
      else return fail(rule, request, reply, errorBody);
    });
    app.addHook("onSend", async (request, reply, payload) => {
      const rule = pending.get(request);
      if (!rule) return payload;
      pending.delete(request);
      if (rule.hang) await new Promise(() => undefined);
      if (rule.reset) request.raw.socket.destroy();
      reply.code(rule.status).removeHeader("content-length");
      setRetryAfter(rule, reply);
      reply.type(rule.html ? "text/html; charset=utf-8" : "application/json; charset=utf-8");
      return rule.html ? HTML : JSON.stringify(rule.body ?? errorBody(rule.status, request.url));
    });
    app.addHook("onResponse", async (request, reply) => {
      const entry = seen.get(request);
      if (entry) entry.status = reply.statusCode;
    });
  }

  #record(vendor: Vendor, request: FastifyRequest): void {
    this.#lastId += 1;
    const entry: SeenRequest = {
      id: this.#lastId,
      time: new Date().toISOString(),
      vendor,
      method: request.method,
      path: request.url.split("?", 1)[0] ?? request.url,
      query: request.query,
      version: request.headers.version as string | undefined,
      body: request.body ?? null,
      status: 0,
    };
    seen.set(request, entry);
    this.requests.push(entry);
    if (this.requests.length > KEPT_REQUESTS) this.requests.splice(0, this.requests.length - KEPT_REQUESTS);
  }
}

const HTML = "<!doctype html><html><head><title>Error</title></head><body><h1>Bad Gateway</h1></body></html>";

function take<Rule extends Match & { count: number | null }>(
  rules: Rule[],
  vendor: Vendor,
  request: FastifyRequest,
): Rule | undefined {
  const index = rules.findIndex(
    (rule) =>
      rule.vendor === vendor &&
      (!rule.match || request.url.includes(rule.match)) &&
      (!rule.method || rule.method.toUpperCase() === request.method),
  );
  const rule = rules[index];
  if (rule && rule.count !== null) {
    rule.count -= 1;
    if (rule.count <= 0) rules.splice(index, 1);
  }
  return rule;
}

function fail(
  rule: FaultRule,
  request: FastifyRequest,
  reply: FastifyReply,
  errorBody: (status: number, path: string) => unknown,
): FastifyReply {
  if (rule.hang || rule.reset) {
    reply.hijack();
    if (rule.reset) request.raw.socket.destroy();
    return reply;
  }
  setRetryAfter(rule, reply);
  if (rule.html) return reply.code(rule.status).type("text/html; charset=utf-8").send(HTML);
  return reply.code(rule.status).send(rule.body ?? errorBody(rule.status, request.url));
}

function setRetryAfter({ retryAfterSeconds }: FaultRule, reply: FastifyReply): void {
  if (retryAfterSeconds) reply.header("retry-after", retryAfterSeconds);
}
