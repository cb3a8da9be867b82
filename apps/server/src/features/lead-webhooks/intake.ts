import type { IntakeAccess, IntakeSource } from "@portal/contract/entities/lead-webhook";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "../../db/client.ts";
import type { EventListener } from "../../events/listener.ts";
import { AppError } from "../../http/app-error.ts";
import { createPageCheck } from "../../http/origin-check.ts";
import type { SessionReader } from "../../http/session.ts";
import { presentedKeys } from "./presented-keys.ts";
import { createRefusals } from "./refusals.ts";
import {
  carriesSignature,
  fitsHash,
  isBodySigned,
  isHubspotSigned,
  type SignedRequest,
} from "./signatures.ts";
import { createSourceKeys, type SourceKeys } from "./source-keys.ts";

/** Why a request was let in. */
export type AdmittedBy = "key" | "signature" | "session" | "open";

declare module "fastify" {
  interface FastifyRequest {
    /** On `intake` routes: why the request was let in, null while its body must prove it. */
    admittedBy: AdmittedBy | null;
  }
}

/** Decides who may send leads in (design §6 Security, R-1). */
export interface Intake {
  /** For the route of a source whose requests carry no signature: lets the request in before its body is read, or refuses it. */
  guard(source: IntakeSource): (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** The same for a source that may sign its bodies: what only the body can prove waits for `checkBody`. */
  checkHead(source: IntakeSource): (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  checkBody(source: IntakeSource): (request: FastifyRequest) => Promise<void>;
  accessOf(source: IntakeSource): Promise<IntakeAccess>;
  keysOf(source: IntakeSource): Promise<SourceKeys>;
  /** Forgets what this process remembers of the keys. */
  forget(): void;
}

const closedText = "This source has no key yet. An administrator makes one under Integrations, Webhooks.";
const refusedText = "The key or the signature of this source is missing or wrong.";

function isLive({ until }: { until: number | null }): boolean {
  return until === null || until > Date.now();
}

function holdsKey(request: FastifyRequest, keys: SourceKeys): boolean {
  const presented = presentedKeys(request);
  return keys.hashes.filter(isLive).some(({ hash }) => fitsHash(presented, hash));
}

export function createIntake(context: {
  db: Db;
  events: EventListener;
  readSession: SessionReader;
  demo: boolean;
  publicUrl: string;
  encryptionKey: string;
}): Intake {
  const { demo, publicUrl } = context;
  const sourceKeys = createSourceKeys(context);
  const isForeignPage = createPageCheck(publicUrl);
  const refusals = createRefusals();

  const accessBy = (keys: SourceKeys): IntakeAccess => (keys.isKeyed ? "keyed" : demo ? "open" : "closed");

  /** Whether the keys let a request in; one refused by remembered keys is looked at again with those of now. */
  async function fits(
    request: FastifyRequest,
    source: IntakeSource,
    test: (keys: SourceKeys) => boolean,
  ): Promise<boolean> {
    if (test(await sourceKeys.of(source))) return true;
    if (refusals.isOver(request.ip)) return false;
    sourceKeys.forget();
    return test(await sourceKeys.of(source));
  }

  /** A signed-in person, or anybody where the source is open; never another site's page. */
  async function admitPerson(
    request: FastifyRequest,
    reply: FastifyReply,
    source: IntakeSource,
  ): Promise<AdmittedBy | null> {
    const session = request.headers.cookie ? await context.readSession(request, reply) : null;
    const isOpen = accessBy(await sourceKeys.of(source)) === "open";
    if (!session && !isOpen) return null;
    if (isForeignPage(request)) throw new AppError("origin_refused");
    if (!session) return "open";
    request.session = session;
    return "session";
  }

  async function refuse(request: FastifyRequest, source: IntakeSource): Promise<never> {
    const seconds = refusals.add(request.ip);
    if (seconds > 0)
      throw new AppError("rate_limited", "Too many refused requests. Try again in a minute.", {
        retryAfterSeconds: seconds,
      });
    request.log.warn({ source, address: request.ip }, "intake refused");
    const access = accessBy(await sourceKeys.of(source));
    throw new AppError("unauthenticated", access === "closed" ? closedText : refusedText);
  }

  async function admit(request: FastifyRequest, reply: FastifyReply, source: IntakeSource): Promise<boolean> {
    const presents = presentedKeys(request).length > 0;
    const byKey = presents && (await fits(request, source, (keys) => holdsKey(request, keys)));
    request.admittedBy = byKey ? "key" : await admitPerson(request, reply, source);
    return request.admittedBy !== null;
  }

  function isSigned(request: FastifyRequest, source: IntakeSource, keys: SourceKeys): boolean {
    const signed: SignedRequest = {
      method: request.method,
      url: `${publicUrl}${request.raw.url}`,
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      header: (name) => headerOf(request, name),
    };
    if (source === "hubspot") return keys.clientSecret !== null && isHubspotSigned(signed, keys.clientSecret);
    return isBodySigned(
      signed,
      keys.signing.filter(isLive).map(({ key }) => key),
    );
  }

  return {
    guard: (source) => async (request, reply) => {
      if (!(await admit(request, reply, source))) await refuse(request, source);
    },
    checkHead: (source) => async (request, reply) => {
      if (await admit(request, reply, source)) return;
      if (!carriesSignature({ header: (name) => headerOf(request, name) })) await refuse(request, source);
    },
    checkBody: (source) => async (request) => {
      if (request.admittedBy) return;
      if (!(await fits(request, source, (keys) => isSigned(request, source, keys))))
        await refuse(request, source);
      request.admittedBy = "signature";
    },
    accessOf: async (source) => accessBy(await sourceKeys.of(source)),
    keysOf: (source) => sourceKeys.of(source),
    forget: sourceKeys.forget,
  };
}

/** A header that came once; one that came several times counts as none. */
function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}
