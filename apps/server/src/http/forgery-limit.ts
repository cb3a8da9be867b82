import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "./app-error.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Notes a webhook request that is not the provider's, and answers how to refuse it. */
    refuseForgery(request: FastifyRequest): Promise<AppError>;
  }
}

/** So many an address may send, over all webhooks of this process; the addresses that came last are kept, 5,000 of them. */
const forgeries = { max: 100, timeWindow: 60_000 };

/**
 * Limits what is not the provider's, by address. Signed requests are never counted, whatever else comes from their address: a provider's
 * event must not be lost because somebody forges others.
 */
export async function registerForgeryLimit(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false });
  const count = app.createRateLimit(forgeries);
  app.decorate("refuseForgery", async (request: FastifyRequest) => {
    const path = request.url.split("?")[0];
    request.log.warn({ path, address: request.ip }, "webhook refused: signature");
    const counted = await count(request);
    if (counted.isAllowed || !counted.isExceeded)
      return new AppError("signature_invalid", "The signature does not fit the request.");
    return new AppError("rate_limited", "Too many requests whose signature does not fit.", {
      retryAfterSeconds: counted.ttlInSeconds,
    });
  });
}
