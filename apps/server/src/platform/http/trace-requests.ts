import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Span, startSpan } from "../../ports/tracer.ts";

const digits = /^\d{1,15}$/;

/** The trace that a request belongs to: the browser says so by a header, a provider's callback by the address that it was given. */
function parentOf({ headers, query }: FastifyRequest): string | null {
  const { trace } = query as Record<string, unknown>;
  if (typeof headers.traceparent === "string") return headers.traceparent;
  return typeof trace === "string" ? trace : null;
}

/**
 * A span for each request of a route: its pattern, never its path or query. It is called once there is a tracer, before any other hook that asks
 * the database.
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
  // A body is read by events of the connection, which know nothing of the span.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
}
