import { accountHeader } from "@portal/contract/account-header";
import type { Role } from "@portal/contract/entities/user";
import { idleHeader } from "@portal/contract/idle-header";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "./app-error.ts";
import { type Access, policyTable } from "./policy-table.ts";

/** Who is asking: identity and role come from the database, never from the request's body. */
export interface AuthSession {
  sessionId: number;
  userId: number;
  role: Role;
  name: string;
  email: string;
}

/** Looks a request's session up; answers null where there is none, and may set a renewed cookie on the reply. */
export type SessionReader = (request: FastifyRequest, reply: FastifyReply) => Promise<AuthSession | null>;

declare module "fastify" {
  interface FastifyRequest {
    session: AuthSession;
  }
  interface FastifyContextConfig {
    /** By the policy table. */
    access?: Access;
  }
}

/** The sessions of the portal: what is cached of a request's session, else the reading of it. */
export interface SessionSource {
  recall(request: FastifyRequest): AuthSession | undefined;
  read: SessionReader;
}

/** Guards every route by its row in the policy table, before anything of the request is validated. */
export function registerSessionGuard(app: FastifyInstance, sessions: SessionSource): void {
  const admit = (request: FastifyRequest, session: AuthSession | null, access: Access) => {
    const account = request.headers[accountHeader];
    if (!session || (account !== undefined && account !== String(session.userId)))
      throw new AppError("unauthenticated");
    request.session = session;
    request.logWith({ userId: session.userId });
    if (access === "admin" && session.role !== "admin") throw new AppError("forbidden");
  };
  app.decorateRequest("session", null as unknown as AuthSession);
  app.addHook("onRoute", (route) => {
    if (!route.url.startsWith("/api/")) return;
    for (const method of [route.method].flat()) {
      // HEAD is bound with GET, and guarded as it is.
      const policy = policyTable[`${method === "HEAD" ? "GET" : method} ${route.url}`];
      if (!policy) throw new Error(`${method} ${route.url} is not in the policy table`);
      route.config = { ...route.config, access: policy.access };
    }
  });
  app.addHook("onRequest", (request, reply, done) => {
    const access = request.routeOptions.config.access;
    if (access !== "user" && access !== "admin") return done();
    const known = sessions.recall(request);
    if (known) {
      admit(request, known, access);
      return done();
    }
    sessions
      .read(request, reply)
      .then((session) => admit(request, session, access))
      .then(() => done(), done);
  });
}

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
