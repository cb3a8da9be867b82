import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Span, startSpan } from "../../ports/tracer.ts";

const digits = /^\d{1,15}$/;

/** The parent trace of a request: a browser sends it in a header, a provider's callback has it in its address. */
function parentOf({ headers, query }: FastifyRequest): string | null {
  const { trace } = query as Record<string, unknown>;
  if (typeof headers.traceparent === "string") return headers.traceparent;
  return typeof trace === "string" ? trace : null;
}

/**
 * Creates a span for each request, named by the route's pattern, never by its path or query. Call it once there is a tracer, before any
 * other hook that queries the database.
 */
export function registerRequestTraces(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook("onRequest", (request, reply, done) => {
    const { url: route } = request.routeOptions;
    const { call } = request.query as Record<string, unknown>;
    const span =
      route === undefined || !route.startsWith("/api/")
        ? null
        : startSpan(`${request.method} ${route}`, {
            kind: "server",
            parent: parentOf(request),
            facts: {
              "http.request.method": request.method,
              "http.route": route,
              "portal.request_id": request.id,
              ...(typeof call === "string" && digits.test(call) && { "portal.call_id": Number(call) }),
            },
          });
    if (!span) return done();
    spans.set(request, span);
    reply.raw.once("close", () => {
      const { statusCode } = reply.raw;
      span.set({ "http.response.status_code": statusCode });
      span.end(statusCode >= 500 ? String(statusCode) : undefined);
    });
    span.run(done);
  });
  // A body is read in events of the connection, which have no span as their context.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
}
