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

/** Guards every route by its `access`, before anything of the request is validated. */
export function registerSessionGuard(app: FastifyInstance, readSession: SessionReader): void {
  app.decorateRequest("session", null as unknown as Session);
  app.addHook("onRequest", async (request, reply) => {
    const access = request.routeOptions.config.access;
    if (access !== "user" && access !== "admin") return;
    const session = await readSession(request, reply);
    if (!session) throw new AppError("unauthenticated");
    request.session = session;
    request.log = request.log.child({ userId: session.userId });
    if (access === "admin" && session.role !== "admin") throw new AppError("forbidden");
  });
}
