import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "./app-error.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

const pageSites = new Set(["same-origin", "none"]);

/** Kinds of access that look for themselves who is asking. */
const selfChecked = new Set<string | undefined>(["signed", "intake"]);

/**
 * Whether another site's page sends the request: Origin must be PUBLIC_URL, or the request's own host where that is another
 * one, and Sec-Fetch-Site must not be cross-site or same-site. A request with neither comes from a program, not from a page.
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

/** Refuses writes that another site's page sends. */
export function registerOriginCheck(app: FastifyInstance, publicUrl: string): void {
  const isForeignPage = createPageCheck(publicUrl);
  app.addHook("onRequest", (request, _reply, done) => {
    const isFree = safeMethods.has(request.method) || selfChecked.has(request.routeOptions.config.access);
    if (!isFree && isForeignPage(request)) throw new AppError("origin_refused");
    done();
  });
}
