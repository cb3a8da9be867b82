import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Context,
  isSpanContextValid,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type pg from "pg";
import type { TracesEnv } from "../../env.ts";
import {
  failureOf,
  type Span,
  type SpanFacts,
  type SpanOptions,
  startSpan,
  type Tracer,
} from "../../ports/tracer.ts";

const closeMs = 2_000;
const shape = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The context of a `traceparent`; the root context if it is invalid. */
function contextOf(traceparent: string): Context {
  const [, traceId = "", spanId = "", flags = "0"] = shape.exec(traceparent) ?? [];
  const named = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(named) ? trace.setSpanContext(ROOT_CONTEXT, named) : ROOT_CONTEXT;
}

/**
 * Sends spans by OTLP over HTTP. Spans are started explicitly in a few places (routes, the database, vendors), because the server is
 * bundled into one file and modules cannot be patched for automatic instrumentation (ADR 0013). If the collector is unavailable, spans are
 * lost and nothing is delayed.
 */
export function createTracer({ url, headers, version }: TracesEnv & { version: string }): Tracer {
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ "service.name": "portal", "service.version": version }),
    ),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url, headers }),
        scheduledDelayMillis: 1_000,
      }),
    ],
  });
  const otel = provider.getTracer("portal");
  const under = new AsyncLocalStorage<{ span: OtelSpan; request: OtelSpan }>();

  function start(name: string, { kind, facts = {}, parent = null }: SpanOptions): Span {
    const above = under.getStore();
    const context =
      parent !== null ? contextOf(parent) : above ? trace.setSpan(ROOT_CONTEXT, above.span) : ROOT_CONTEXT;
    const span = otel.startSpan(
      name,
      { kind: kind === "server" ? SpanKind.SERVER : SpanKind.CLIENT, attributes: facts },
      context,
    );
    const request = kind === "server" || !above ? span : above.request;
    return {
      run: (work) => under.run({ span, request }, work),
      set: (more) => void span.setAttributes(more),
      end(failure) {
        if (failure !== undefined)
          span.setAttribute("error.type", failure).setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  return {
    start,
    current() {
      const above = under.getStore();
      if (!above) return null;
      const { traceId, spanId, traceFlags } = above.span.spanContext();
      return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
    },
    note: (facts) => void under.getStore()?.request.setAttributes(facts),
    // An unavailable collector must not keep the process from ending.
    close: () =>
      Promise.race([provider.shutdown().catch(() => undefined), sleep(closeMs, undefined, { ref: false })]),
  };
}

type Query = (...args: unknown[]) => unknown;

const longest = 2_000;

/** Describes a statement with its literal texts and numbers replaced. Values are usually parameters, so few statements contain any. */
function describeStatement(query: unknown): { name: string; facts: SpanFacts } {
  const text = typeof query === "string" ? query : ((query as { text?: string } | null)?.text ?? "");
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? "statement";
  const facts = { "db.system.name": "postgresql", "db.operation.name": operation };
  // Quoting that the replacement below does not handle.
  if (/\\|\$\$|\$\w*[a-z_]\w*\$/i.test(text)) return { name: operation, facts };
  const plain = text.replaceAll(/'(?:[^']|'')*'/g, "?").replaceAll(/(?<![$\w.])\d[\d.]*/g, "?");
  return { name: operation, facts: { ...facts, "db.query.text": plain.slice(0, longest) } };
}

/**
 * Adds a span for each statement of a pool or connection to the current trace, including the wait for a connection. Returns a function that
 * stops it, for a connection that goes back to its pool, which has its own spans.
 */
export function traceQueries(client: pg.Pool | pg.PoolClient): () => void {
  const query = client.query as unknown as Query;
  const traced: Query = (...args) => {
    const { name, facts } = describeStatement(args[0]);
    const span = startSpan(name, { kind: "client", facts });
    const callback = args.at(-1);
    if (!span || typeof callback === "function") {
      span?.end();
      return query.apply(client, args);
    }
    const result = query.apply(client, args);
    // Streams (COPY, cursors) return no promise, so their span ends immediately.
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    return result.then(
      (answer) => {
        span.end();
        return answer;
      },
      (error: unknown) => {
        span.end(failureOf(error));
        throw error;
      },
    );
  };
  client.query = traced as unknown as typeof client.query;
  return () => {
    client.query = query as unknown as typeof client.query;
  };
}
