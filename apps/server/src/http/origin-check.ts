import type { FastifyInstance } from "fastify";
import { AppError } from "./app-error.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

/**
 * Refuses writes that another site's page sends: Origin must be the request's own host or PUBLIC_URL, and
 * Sec-Fetch-Site must not be cross-site or same-site. A request with neither comes from a program, not from a page.
 */
export function registerOriginCheck(app: FastifyInstance, publicUrl: string): void {
  const publicHost = new URL(publicUrl).host;
  app.addHook("onRequest", async (request) => {
    if (safeMethods.has(request.method) || request.routeOptions.config.access === "signed") return;
    const { origin, "sec-fetch-site": site } = request.headers;
    if (origin !== undefined) {
      const host = hostOf(origin);
      if (host === null || (host !== request.host && host !== publicHost))
        throw new AppError("origin_refused");
      return;
    }
    if (site !== undefined && site !== "same-origin" && site !== "none") throw new AppError("origin_refused");
  });
}
