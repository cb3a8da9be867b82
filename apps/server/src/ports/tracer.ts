/** Attributes of a span. They must not contain names, numbers, texts or values of statements. */
export type SpanFacts = Record<string, string | number | boolean>;

export interface SpanOptions {
  kind: "server" | "client";
  facts?: SpanFacts;
  /** The parent span, as the `traceparent` header of a request (W3C Trace Context). Null: the current span, or none. */
  parent?: string | null;
}

/** A timed operation, in the trace of what caused it. */
export interface Span {
  /** Runs `work` with this span as the current one. */
  run<T>(work: () => T): T;
  set(facts: SpanFacts): void;
  /** `failure`: a code or class of an error, never its message. */
  end(failure?: string): void;
}

/** Sends the spans of this process to a collector. */
export interface Tracer {
  start(name: string, options: SpanOptions): Span;
  /** The current span as a `traceparent`; null if there is none. */
  current(): string | null;
  /** Adds attributes to the span of the current request. */
  note(facts: SpanFacts): void;
  /** Sends the buffered spans. */
  close(): Promise<void>;
}

/**
 * One for each process, like the channels of `node:diagnostics_channel`. Null if tracing is off; each call then costs only one comparison.
 */
let tracer: Tracer | null = null;

export function setTracer(made: Tracer | null): void {
  tracer = made;
}

/** Starts a span. Null without a tracer; a client span also needs a current span. */
export function startSpan(name: string, options: SpanOptions): Span | null {
  return tracer && (options.kind === "server" || tracer.current()) ? tracer.start(name, options) : null;
}

/** Returns an error's code or class, without its message, which may contain values. */
export function failureOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name ?? "error");
}

/** Runs `work` in a new span. */
export async function traced<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = startSpan(name, options);
  if (!span) return work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end(failureOf(error));
    throw error;
  }
}

/** Returns the current span, for a callback that is to continue the trace; null if tracing is off. */
export function currentTrace(): string | null {
  return tracer?.current() ?? null;
}

/** Adds attributes to the current request, for example the id of the call that it created. */
export function noteTrace(facts: SpanFacts): void {
  tracer?.note(facts);
}
