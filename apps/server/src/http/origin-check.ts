import type { FastifyInstance } from "fastify";
import { AppError } from "./app-error.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

const pageSites = new Set(["same-origin", "none"]);

/**
 * Refuses writes that another site's page sends: Origin must be PUBLIC_URL, or the request's own host where
 * that is another one, and Sec-Fetch-Site must not be cross-site or same-site. A request with neither comes from a program, not from a page.
 */
export function registerOriginCheck(app: FastifyInstance, publicUrl: string): void {
  const own = new URL(publicUrl);
  const isOwn = (origin: string, host: string) => {
    if (!URL.canParse(origin)) return false;
    const from = new URL(origin);
    return from.origin === own.origin || (from.host === host && host !== own.host);
  };
  app.addHook("onRequest", async (request) => {
    if (safeMethods.has(request.method) || request.routeOptions.config.access === "signed") return;
    const { origin, "sec-fetch-site": site } = request.headers;
    const refused =
      (origin !== undefined && !isOwn(origin, request.host)) ||
      (site !== undefined && !pageSites.has(String(site)));
    if (refused) throw new AppError("origin_refused");
  });
}
