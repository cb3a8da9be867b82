/** Facts of a span. Never a name, a number, a text or a value of a statement. */
export type SpanFacts = Record<string, string | number | boolean>;

export interface SpanOptions {
  kind: "server" | "client";
  facts?: SpanFacts;
  /** The span that it belongs to, as the `traceparent` of a request names it (W3C Trace Context); null: the current one, or none. */
  parent?: string | null;
}

/** Something that takes time, on one trace with what caused it. */
export interface Span {
  /** Runs `work`, and all that it causes, below this span. */
  run<T>(work: () => T): T;
  set(facts: SpanFacts): void;
  /** `failure`: a code or class of an error, never its text. */
  end(failure?: string): void;
}

/** Sends the spans of this process to a collector. */
export interface Tracer {
  start(name: string, options: SpanOptions): Span;
  /** The span that is under way, as a `traceparent`; null outside of any. */
  current(): string | null;
  /** Adds facts to the request that is under way. */
  note(facts: SpanFacts): void;
  /** Sends what waits. */
  close(): Promise<void>;
}

/** One for each process, like the channels of `node:diagnostics_channel`; null where nothing is traced, which costs a comparison. */
let tracer: Tracer | null = null;

export function setTracer(made: Tracer | null): void {
  tracer = made;
}

/** Starts a span, where there is a tracer and something that it belongs to. */
export function startSpan(name: string, options: SpanOptions): Span | null {
  return tracer && (options.kind === "server" || tracer.current()) ? tracer.start(name, options) : null;
}

/** What an error is, without its text, which can quote values. */
export function failureOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name ?? "error");
}

/** Runs `work` in a span of its own. */
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

/** The span that is under way, for whoever comes back to it by an address; null where nothing is traced. */
export function currentTrace(): string | null {
  return tracer?.current() ?? null;
}

/** Adds facts to the request that is under way, for example the call that it made. */
export function noteTrace(facts: SpanFacts): void {
  tracer?.note(facts);
}
