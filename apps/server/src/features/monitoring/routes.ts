import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../platform/http/app-error.ts";
import { createMonitor, type MonitoringContext } from "./service.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * `GET /metrics` for Prometheus, with the token as a bearer's; without a token there is no such address, and nothing is counted. Errors:
 * `unauthenticated`.
 */
export function registerMonitoring(
  app: FastifyInstance,
  { token, ...context }: MonitoringContext & { token: string | null },
): void {
  if (token === null) return;
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
}
