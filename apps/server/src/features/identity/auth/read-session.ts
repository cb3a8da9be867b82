import type { FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "../../../platform/db/client.ts";
import { execute, sql } from "../../../platform/db/query.ts";
import { pendingStepSql } from "../../../platform/db/sql/second-factor.ts";
import type { AuthSession, SessionReader, SessionSource } from "../../../platform/http/session.ts";
import type { EventListener } from "../../../platform/realtime/listener.ts";
import {
  onLibraryFailure,
  resignCookie,
  type SignInLibrary,
  sessionCookieName,
} from "./create-sign-in-library.ts";
import { findPendingStep } from "./repository.ts";

const rememberMs = 5_000;
/** Time for entering the code of the second factor after the password. */
const codeMs = 10 * 60_000;

interface Remembered {
  session: AuthSession;
  /** By `performance.now()`, which does not step with the machine's clock. */
  until: number;
}

export interface Sessions extends SessionSource {
  isAlive(session: AuthSession): Promise<boolean>;
  /** Removes a user's cached sessions in this process at once. */
  forget(userId: number): void;
}

/**
 * Reads sessions. The library checks cookie and row; a valid session is cached for 5 s, so that a busy page does not query the database for
 * each request. Sign-outs and disabled accounts arrive by event and clear the cache at once.
 */
export function createSessions(options: {
  library: SignInLibrary;
  db: Db;
  listener: EventListener;
  secure: boolean;
  secrets: { current: string; previous: string | null };
  maxDays: number;
}): Sessions {
  const { library, db } = options;
  const cookieName = sessionCookieName(options.secure);
  const remembered = new Map<string, Remembered>();

  let endings = 0;
  const forget = (userId: number) => {
    endings += 1;
    for (const [cookie, entry] of remembered) if (entry.session.userId === userId) remembered.delete(cookie);
  };
  options.listener.onEvent((event) => event.topic === "session" && forget(event.id));
  options.listener.onGap(() => {
    endings += 1;
    remembered.clear();
  });

  async function lookUp(request: FastifyRequest, reply: FastifyReply): Promise<AuthSession | null> {
    const cookie = resignCookie(request.cookies[cookieName] ?? "", options.secrets);
    const headers = new Headers({ cookie: `${cookieName}=${encodeURIComponent(cookie)}` });
    const { response, headers: answered } = await library.api
      .getSession({ headers, returnHeaders: true })
      .catch(onLibraryFailure);
    if (!response) return null;
    const { session, user } = response;
    const tooOld = new Date(session.createdAt).getTime() + options.maxDays * 86_400_000 < Date.now();
    if (user.disabledAt || tooOld) {
      await execute(db, sql`delete from sessions where id = ${Number(session.id)}`);
      return null;
    }
    const pending = await findPendingStep(db, Number(session.id));
    if (pending === "code" && new Date(session.createdAt).getTime() + codeMs < Date.now()) {
      await execute(db, sql`delete from sessions where id = ${Number(session.id)}`);
      return null;
    }
    // The library renews the cookie from time to time.
    for (const cookie of answered.getSetCookie()) reply.header("set-cookie", cookie);
    return {
      sessionId: Number(session.id),
      userId: Number(user.id),
      role: user.role as AuthSession["role"],
      name: user.name,
      email: user.email,
      pending,
    };
  }

  const recall: SessionSource["recall"] = (request) => {
    const known = remembered.get(request.cookies[cookieName] ?? "");
    return known && known.until > performance.now() ? known.session : undefined;
  };

  const readAny: SessionReader = async (request, reply) => {
    const cookie = request.cookies[cookieName];
    if (!cookie) return null;
    const known = recall(request);
    if (known) return known;
    remembered.delete(cookie);
    const asOf = endings;
    const session = await lookUp(request, reply);
    // A session that ended during the read must not be cached: the result is valid for this request only.
    if (session && asOf === endings) {
      if (remembered.size > 10_000) remembered.clear();
      remembered.set(cookie, { session, until: performance.now() + rememberMs });
    }
    return session;
  };

  return {
    forget,
    recall,
    readAny,
    async read(request, reply) {
      const session = await readAny(request, reply);
      return session?.pending ? null : session;
    },
    async isAlive(session) {
      const rowCount = await execute(
        db,
        sql`select 1 from sessions s join users u on u.id = s.user_id where s.id = ${session.sessionId} and s.expires_at > now() and u.disabled_at is null
          and ${pendingStepSql} is null`,
      );
      return rowCount === 1;
    },
  };
}
