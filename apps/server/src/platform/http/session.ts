import { accountHeader } from "@portal/contract/account-header";
import type { Role } from "@portal/contract/entities/user";
import { idleHeader } from "@portal/contract/idle-header";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "./app-error.ts";
import { type Access, type PendingStep, policyTable } from "./policy-table.ts";

/** The signed-in user of a request. Identity and role come from the database, never from the request's body. */
export interface AuthSession {
  sessionId: number;
  userId: number;
  role: Role;
  name: string;
  email: string;
  /** Absent once the session is valid. Until then it gives access only to the routes that the policy table allows for this step. */
  pending?: PendingStep | null;
}

/** Reads a request's session; null if there is none. It may set a renewed cookie on the reply. */
export type SessionReader = (request: FastifyRequest, reply: FastifyReply) => Promise<AuthSession | null>;

declare module "fastify" {
  interface FastifyRequest {
    session: AuthSession;
  }
  interface FastifyContextConfig {
    /** The row of the policy table. */
    access?: Access;
    pending?: readonly PendingStep[];
  }
}

/** Reads a request's session, from the cache if possible. */
export interface SessionSource {
  recall(request: FastifyRequest): AuthSession | undefined;
  /** Reads a valid session. */
  read: SessionReader;
  /** Reads a session that may still need its second factor (`pending`). */
  readAny: SessionReader;
}

/** Guards every route by its row in the policy table, before anything of the request is validated. */
export function registerSessionGuard(app: FastifyInstance, sessions: SessionSource): void {
  const admit = (request: FastifyRequest, session: AuthSession | null, access: Access) => {
    const account = request.headers[accountHeader];
    if (!session || (account !== undefined && account !== String(session.userId)))
      throw new AppError("unauthenticated");
    request.session = session;
    request.logWith({ userId: session.userId });
    const { pending } = session;
    if (pending && !request.routeOptions.config.pending?.includes(pending)) {
      throw new AppError(pending === "code" ? "second_factor_needed" : "second_factor_setup_needed");
    }
    if (access === "admin" && session.role !== "admin") throw new AppError("forbidden");
  };
  app.decorateRequest("session", null as unknown as AuthSession);
  app.addHook("onRoute", (route) => {
    if (!route.url.startsWith("/api/")) return;
    for (const method of [route.method].flat()) {
      // Fastify binds HEAD with GET; it has the same guard.
      const policy = policyTable[`${method === "HEAD" ? "GET" : method} ${route.url}`];
      if (!policy) throw new Error(`${method} ${route.url} is not in the policy table`);
      route.config = { ...route.config, access: policy.access, pending: policy.pending ?? [] };
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
      .readAny(request, reply)
      .then((session) => admit(request, session, access))
      .then(() => done(), done);
  });
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Requests of such a route do not count as activity, because the browser repeats them by itself. */
    unattended?: boolean;
  }
}

/**
 * Reports a user's activity: every request of a session counts, except those that an unattended browser sends by itself, and streams.
 * It runs after the response, which it does not delay.
 */
export function registerActivity(app: FastifyInstance, onActivity: (userId: number) => void): void {
  app.addHook("onResponse", ({ session, headers, routeOptions }, _reply, done) => {
    const attended = headers[idleHeader] === undefined && !routeOptions.config.unattended;
    if (session && attended) onActivity(session.userId);
    done();
  });
}
