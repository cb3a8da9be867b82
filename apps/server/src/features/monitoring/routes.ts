import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../platform/http/app-error.ts";
import { contentReportsPath } from "../../platform/http/browser-security.ts";
import { readContentReports } from "./read-content-reports.ts";
import { createMonitor, type Monitor, type MonitoringContext } from "./service.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * `GET /metrics` for Prometheus, with the token as a bearer's; without a token there is no such address, and nothing is counted. Errors:
 * `unauthenticated`. Answers what counts, null without a token.
 */
export function registerMonitoring(
  app: FastifyInstance,
  { token, ...context }: MonitoringContext & { token: string | null },
): Monitor | null {
  if (token === null) return null;
  const monitor = createMonitor(context);
  const wanted = digest(`Bearer ${token}`);

  app.addHook("onResponse", (request, reply, done) => {
    // The pattern, never the address: that may hold an id, and each would be a series of its own.
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
/** Requests with reports for each address in this process: a page that is broken sends a few. */
const reportPace = { max: 60, timeWindow: 60_000 };

/**
 * Takes what browsers report that the content security policy refused (`platform/http/browser-security` names the address): a line in the log
 * for each, with the directive and the blocked host, and a count. Anybody may send it, as a page may have no session. Errors: `rate_limited`.
 */
export async function registerContentReports(app: FastifyInstance, monitor: Monitor | null): Promise<void> {
  const count = app.createRateLimit(reportPace);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ["application/csp-report", "application/reports+json"],
      { parseAs: "string", bodyLimit: reportsMaxBytes },
      scope.getDefaultJsonParser("error", "error"),
    );
    const onRequest = async (request: FastifyRequest) => {
      const counted = await count(request);
      if (!counted.isAllowed && counted.isExceeded)
        throw new AppError("rate_limited", "Too many reports.", { retryAfterSeconds: counted.ttlInSeconds });
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
