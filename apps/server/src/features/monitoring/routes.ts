import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../platform/http/app-error.ts";
import { contentReportsPath } from "../../platform/http/browser-security.ts";
import { createPace } from "../../platform/http/limits.ts";
import { readContentReports } from "./read-content-reports.ts";
import { createMonitor, type Monitor, type MonitoringContext } from "./service.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * `GET /metrics` for Prometheus, with the token as a bearer token; without a configured token the route does not exist, and nothing is
 * counted. Errors: `unauthenticated`. Returns the counters, null without a token.
 */
export function registerMonitoring(
  app: FastifyInstance,
  { token, ...context }: MonitoringContext & { token: string | null },
): Monitor | null {
  if (token === null) return null;
  const monitor = createMonitor(context);
  const wanted = digest(`Bearer ${token}`);

  app.addHook("onResponse", (request, reply, done) => {
    // The route's pattern, not the address: that may contain an id, and each would be a separate time series.
    const route = request.routeOptions.url ?? "none";
    const { statusCode: status, elapsedTime } = reply;
    monitor.noteRequest({ method: request.method, route, status, seconds: elapsedTime / 1000 });
    done();
  });
  app.addHook("onClose", async () => monitor.close());

  app.get("/metrics", { logLevel: "warn", schema: { hide: true } }, async (request, reply) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ""), wanted))
      throw new AppError("unauthenticated");
    const { text, contentType } = await monitor.read();
    return reply.header("cache-control", "no-store").type(contentType).send(text);
  });
  return monitor;
}

const reportsMaxBytes = 32 * 1024;
/** Requests with reports from each address to this process: a broken page sends a few. */
const reportPace = { max: 60, timeWindow: 60_000 };

/**
 * Receives browsers' reports of violations of the content security policy (`platform/http/browser-security` has the address): a log line
 * for each, with the directive and the blocked host, and a count. Needs no session, as a page may have none. Errors: `rate_limited`.
 */
export async function registerContentReports(app: FastifyInstance, monitor: Monitor | null): Promise<void> {
  const refuse = createPace(app, reportPace, "Too many reports.");
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ["application/csp-report", "application/reports+json"],
      { parseAs: "string", bodyLimit: reportsMaxBytes },
      scope.getDefaultJsonParser("error", "error"),
    );
    const onRequest = async (request: FastifyRequest) => {
      const refusal = await refuse(request);
      if (refusal) throw refusal;
    };
    scope.post(contentReportsPath, { onRequest, schema: { hide: true } }, async (request, reply) => {
      for (const report of readContentReports(request.body)) {
        request.log.warn(report, "content policy refused");
        monitor?.noteContentReport(report);
      }
      return reply.status(204).send();
    });
  });
}
