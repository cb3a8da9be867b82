import type { Role } from "@portal/contract/entities/user";
import type { Access } from "@portal/contract/route";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "./app-error.ts";

/** Who is asking: identity and role come from the database, never from the request's body. */
export interface Session {
  sessionId: number;
  userId: number;
  role: Role;
  name: string;
  email: string;
}

/** Looks a request's session up; answers null where there is none, and may set a renewed cookie on the reply. */
export type SessionReader = (request: FastifyRequest, reply: FastifyReply) => Promise<Session | null>;

declare module "fastify" {
  interface FastifyRequest {
    session: Session;
  }
  interface FastifyContextConfig {
    access?: Access;
  }
}

/** The sessions of the portal: what is remembered of a request's session, else the reading of it. */
export interface SessionSource {
  recall(request: FastifyRequest): Session | undefined;
  read: SessionReader;
}

/** Guards every route by its `access`, before anything of the request is validated. */
export function registerSessionGuard(app: FastifyInstance, sessions: SessionSource): void {
  const admit = (request: FastifyRequest, session: Session | null, access: Access) => {
    if (!session) throw new AppError("unauthenticated");
    request.session = session;
    request.logWith({ userId: session.userId });
    if (access === "admin" && session.role !== "admin") throw new AppError("forbidden");
  };
  app.decorateRequest("session", null as unknown as Session);
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
