import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { AppError } from "../../platform/http/app-error.ts";
import { contentReportsPath } from "../../platform/http/browser-security.ts";
import { createPace } from "../../platform/http/limits.ts";
import { createMonitor, type Monitor, type MonitoringContext } from "./service.ts";

/** A browser's report of a violation of the content security policy; without addresses, as those may contain names. */
export interface ContentReport {
  /** The directive, or `other` if the portal's policy does not have it. */
  directive: string;
  /** The blocked host, or a keyword such as `inline`. */
  blocked: string;
}

/** The maximum number of reports read from one request. */
const reportsMost = 20;

const directives = new Set([
  ...["default-src", "script-src", "script-src-elem", "script-src-attr", "style-src", "style-src-elem"],
  ...["style-src-attr", "img-src", "media-src", "font-src", "connect-src", "worker-src", "manifest-src"],
  ...["object-src", "base-uri", "form-action", "frame-src", "frame-ancestors", "child-src"],
]);

/** Source: W3C CSP3, https://www.w3.org/TR/CSP3/#deprecated-serialize-violation (`report-uri`). */
const oldReport = z
  .object({
    "csp-report": z.object({
      "effective-directive": z.string().optional(),
      "violated-directive": z.string().optional(),
      "blocked-uri": z.string().optional(),
    }),
  })
  .transform(({ "csp-report": said }) => [
    {
      directive: said["effective-directive"] ?? said["violated-directive"] ?? "",
      blocked: said["blocked-uri"] ?? "",
    },
  ]);

/** Source: W3C CSP3, https://www.w3.org/TR/CSP3/#reporting (`report-to`); one request holds reports of any kind. */
const newReports = z.array(z.unknown()).transform((all) => all.slice(0, reportsMost).flatMap(ofPolicy));

const newReport = z.object({
  type: z.literal("csp-violation"),
  body: z.object({ effectiveDirective: z.string(), blockedURL: z.string().optional() }),
});

function ofPolicy(report: unknown): ContentReport[] {
  const { data } = newReport.safeParse(report);
  return data ? [{ directive: data.body.effectiveDirective, blocked: data.body.blockedURL ?? "" }] : [];
}

const keyword = /^[a-z-]{1,30}$/;

function hostOf(blocked: string): string {
  if (keyword.test(blocked)) return blocked;
  const { protocol, hostname } = URL.canParse(blocked) ? new URL(blocked) : { protocol: "", hostname: "" };
  return (hostname || protocol || "other").slice(0, 253);
}

/** The reports in a request's body, in either of the browsers' formats; none for anything else. */
function readContentReports(body: unknown): ContentReport[] {
  const { data = [] } = z.union([oldReport, newReports]).safeParse(body);
  return data.map(({ directive, blocked }) => {
    const [name = ""] = directive.split(" ");
    return { directive: directives.has(name) ? name : "other", blocked: hostOf(blocked) };
  });
}

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
