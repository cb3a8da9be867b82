import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import helmet from "helmet";
import { AppError } from "./app-error.ts";

/** Where browsers report what the policy refused. */
export const contentReportsPath = "/api/content-reports";

/** Content security policy and the other security headers. Old telephony SDK scripts are blocked by script-src 'self'. */
function securityHeaders(secure: boolean): Record<string, string> {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "https:"],
        mediaSrc: ["'self'"],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // Without `report-to`: a browser that supports it ignores `report-uri`, and none of its reports ever arrived.
        reportUri: [contentReportsPath],
        ...(secure && { upgradeInsecureRequests: [] }),
      },
    },
    hsts: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    crossOriginEmbedderPolicy: false,
  });
  setHeaders(answer.req, answer, () => undefined);
  return Object.fromEntries(
    Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}

/** Sets the request id and the security headers on every response, and `no-store` on those of the API. The headers are built once. */
export function registerSecurityHeaders(app: FastifyInstance, secure: boolean): void {
  const headers = securityHeaders(secure);
  const apiHeaders = { ...headers, "cache-control": "no-store" };
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(request.url.startsWith("/api/") ? apiHeaders : headers);
    reply.header("x-request-id", request.id);
    done();
  });
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

const pageSites = new Set(["same-origin", "none"]);

/** Kinds of access that authenticate the caller without a session cookie, and need no check of the origin. */
const selfChecked = new Set<string | undefined>(["signed", "intake"]);

/**
 * Whether a page of another site sends the request: Origin must be PUBLIC_URL or the request's own host, and Sec-Fetch-Site must not be
 * cross-site or same-site. A request with neither header comes from a program, not from a page.
 */
export function createPageCheck(publicUrl: string): (request: FastifyRequest) => boolean {
  const own = new URL(publicUrl);
  const isOwn = (origin: string, host: string) => {
    if (!URL.canParse(origin)) return false;
    const from = new URL(origin);
    return from.origin === own.origin || (from.host === host && host !== own.host);
  };
  return (request) => {
    const { origin, "sec-fetch-site": site } = request.headers;
    return (
      (origin !== undefined && !isOwn(origin, request.host)) ||
      (site !== undefined && !pageSites.has(String(site)))
    );
  };
}

/** Refuses writes from pages of other sites (CSRF). */
export function registerOriginCheck(app: FastifyInstance, publicUrl: string): void {
  const isForeignPage = createPageCheck(publicUrl);
  app.addHook("onRequest", (request, _reply, done) => {
    const isFree = safeMethods.has(request.method) || selfChecked.has(request.routeOptions.config.access);
    if (!isFree && isForeignPage(request)) throw new AppError("origin_refused");
    done();
  });
}
