import { idleHeader } from "@portal/contract/idle-header";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What goes on there by itself is nobody's activity. */
    unattended?: boolean;
  }
}

/**
 * Tells who does something: each request of a session counts, but for those that a browser sends by itself while nobody touches it, and
 * for what stays open unattended. After the answer, so that nobody waits for it.
 */
export function registerActivity(app: FastifyInstance, onActivity: (userId: number) => void): void {
  app.addHook("onResponse", ({ session, headers, routeOptions }, _reply, done) => {
    const attended = headers[idleHeader] === undefined && !routeOptions.config.unattended;
    if (session && attended) onActivity(session.userId);
    done();
  });
}
