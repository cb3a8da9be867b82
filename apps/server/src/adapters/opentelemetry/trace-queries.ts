import type pg from "pg";
import { failureOf, type SpanFacts, startSpan } from "../../ports/tracer.ts";

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
