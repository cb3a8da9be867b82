import { randomBytes } from "node:crypto";
import type { SourceAccess, WebhookSourceName } from "@portal/contract/entities/lead-webhook";
import type { FastifyReply, FastifyRequest } from "fastify";
import { decrypt, type EncryptionKeys, type StoredPurpose } from "../../domain/encryption.ts";
import type { Db } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { createPageCheck } from "../../platform/http/browser-security.ts";
import type { SessionReader } from "../../platform/http/session.ts";
import type { EventListener } from "../../platform/realtime/listener.ts";
import {
  carriesSignature,
  fitsHash,
  isBodySigned,
  isHubspotSigned,
  presentedKeys,
  type SignedRequest,
} from "./check-signature.ts";
import { listSourceRows, type SourceRow } from "./repository.ts";

/** Why a request was admitted. */
export type AdmittedBy = "key" | "signature" | "session" | "open";

declare module "fastify" {
  interface FastifyRequest {
    /** On routes with access `intake`: why the request was admitted; null until its body is verified. */
    admittedBy: AdmittedBy | null;
  }
}

/** Authenticates requests that send leads. */
export interface WebhookSourceAuth {
  /** For a source without signatures: admits or refuses the request before its body is read. */
  guard(source: WebhookSourceName): (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** For a source with signatures: as `guard`, but a signature is verified by `checkBody`. */
  checkHead(source: WebhookSourceName): (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  checkBody(source: WebhookSourceName): (request: FastifyRequest) => Promise<void>;
  accessOf(source: WebhookSourceName): Promise<SourceAccess>;
  keysOf(source: WebhookSourceName): Promise<SourceKeys>;
  /** Clears the cached keys of this process. */
  forget(): void;
}

const refusedAMinute = 30;
/** Limit for one address, if a source is open to everybody because it has no key (demo). */
const openAMinute = 600;

const closedText = "This source has no key yet. An administrator makes one under Integrations, Webhooks.";
const refusedText = "The key or the signature of this source is missing or wrong.";

function isLive({ until }: { until: number | null }): boolean {
  return until === null || until > Date.now();
}

function holdsKey(request: FastifyRequest, keys: SourceKeys): boolean {
  const presented = presentedKeys(request);
  return keys.hashes.filter(isLive).some(({ hash }) => fitsHash(presented, hash));
}

export function createSourceAuth(context: {
  db: Db;
  events: EventListener;
  readSession: SessionReader;
  demo: boolean;
  publicUrl: string;
  encryptionKeys: EncryptionKeys;
}): WebhookSourceAuth {
  const { demo, publicUrl } = context;
  const sourceKeys = createSourceKeys(context);
  const isForeignPage = createPageCheck(publicUrl);
  const refusals = createAddressLimit({ allowed: refusedAMinute });
  const strangers = createAddressLimit({ allowed: openAMinute });

  const accessBy = (keys: SourceKeys): SourceAccess => (keys.isKeyed ? "keyed" : demo ? "open" : "closed");

  /** Whether the keys admit a request. A request that cached keys refuse is checked again with the current ones. */
  async function fits(
    request: FastifyRequest,
    source: WebhookSourceName,
    test: (keys: SourceKeys) => boolean,
  ): Promise<boolean> {
    if (test(await sourceKeys.of(source))) return true;
    if (refusals.isOver(request.ip)) return false;
    sourceKeys.forget();
    return test(await sourceKeys.of(source));
  }

  /** Admits a signed-in person, or anybody if the source is open, but never a page of another site. */
  async function admitPerson(
    request: FastifyRequest,
    reply: FastifyReply,
    source: WebhookSourceName,
  ): Promise<AdmittedBy | null> {
    const session = request.headers.cookie ? await context.readSession(request, reply) : null;
    const isOpen = accessBy(await sourceKeys.of(source)) === "open";
    if (!session && !isOpen) return null;
    if (isForeignPage(request)) throw new AppError("origin_refused");
    if (!session) {
      const seconds = strangers.add(request.ip);
      if (seconds > 0)
        throw new AppError("rate_limited", "Too many requests without a key. Try again in a minute.", {
          retryAfterSeconds: seconds,
        });
      return "open";
    }
    request.session = session;
    return "session";
  }

  async function refuse(request: FastifyRequest, source: WebhookSourceName): Promise<never> {
    const seconds = refusals.add(request.ip);
    if (seconds > 0)
      throw new AppError("rate_limited", "Too many refused requests. Try again in a minute.", {
        retryAfterSeconds: seconds,
      });
    request.log.warn({ source, address: request.ip }, "intake refused");
    const access = accessBy(await sourceKeys.of(source));
    throw new AppError("unauthenticated", access === "closed" ? closedText : refusedText);
  }

  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    source: WebhookSourceName,
  ): Promise<boolean> {
    const presents = presentedKeys(request).length > 0;
    const byKey = presents && (await fits(request, source, (keys) => holdsKey(request, keys)));
    request.admittedBy = byKey ? "key" : await admitPerson(request, reply, source);
    return request.admittedBy !== null;
  }

  function isSigned(request: FastifyRequest, source: WebhookSourceName, keys: SourceKeys): boolean {
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

/** A header that occurs once; a repeated header counts as absent. */
function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}

const windowMs = 60_000;
const addressesMax = 10_000;

/**
 * Counts requests by address in this process and allows `allowed` a minute. The limit of refused requests is only checked after a refusal,
 * so a request with a valid key is admitted even if many forged requests come from the same address.
 */
function createAddressLimit({
  allowed,
  now = () => performance.now(),
}: {
  allowed: number;
  now?: () => number;
}) {
  const counts = new Map<string, { count: number; endsAt: number }>();

  function entryOf(address: string) {
    const known = counts.get(address);
    if (known && known.endsAt > now()) return known;
    counts.delete(address);
    // Removes the oldest entry, so that many addresses cannot fill the memory.
    const [oldest] = counts.keys();
    if (counts.size >= addressesMax && oldest !== undefined) counts.delete(oldest);
    const entry = { count: 0, endsAt: now() + windowMs };
    counts.set(address, entry);
    return entry;
  }

  return {
    isOver: (address: string) =>
      (counts.get(address)?.count ?? 0) >= allowed && entryOf(address).count >= allowed,
    /** Counts a request. Returns the seconds to wait if it exceeds the limit, else 0. */
    add(address: string): number {
      const entry = entryOf(address);
      entry.count += 1;
      return entry.count > allowed ? Math.max(1, Math.ceil((entry.endsAt - now()) / 1_000)) : 0;
    },
  };
}

/** The keys that admit requests at a source. */
interface SourceKeys {
  /** Whether a key or secret is set. Also true if it cannot be decrypted; then no request can use it. */
  isKeyed: boolean;
  /** Hashes of the key, and of the previous one while it is valid. */
  hashes: { hash: string; until: number | null }[];
  /** Keys that verify the signatures of bodies. */
  signing: { key: string; until: number | null }[];
  clientSecret: string | null;
  organizationId: string | null;
}

const none: SourceKeys = {
  isKeyed: false,
  hashes: [],
  signing: [],
  clientSecret: null,
  organizationId: null,
};

/** Limits caching, because events may be missed while the connection is lost. */
const rememberMs = 30_000;

function keysOf(row: SourceRow, encryptionKeys: EncryptionKeys): SourceKeys {
  const open = (sealed: string | null, what: "key" | "client secret") =>
    sealed && decrypt(sealed, { encryptionKeys, purpose: encryptionPurpose(row.source, what) });
  const until = row.previousUntil?.getTime() ?? null;
  const [key, previous] = [open(row.keyEncrypted, "key"), until && open(row.previousEncrypted, "key")];
  return {
    isKeyed: row.keyHash !== null || row.clientSecretEncrypted !== null,
    hashes: [
      ...(row.keyHash ? [{ hash: row.keyHash, until: null }] : []),
      ...(row.previousHash && until ? [{ hash: row.previousHash, until }] : []),
    ],
    signing: [...(key ? [{ key, until: null }] : []), ...(previous ? [{ key: previous, until }] : [])],
    clientSecret: open(row.clientSecretEncrypted, "client secret"),
    organizationId: row.organizationId,
  };
}

/** The keys of all sources, cached in this process until an event reports a change. */
function createSourceKeys(context: { db: Db; events: EventListener; encryptionKeys: EncryptionKeys }) {
  let kept: { keys: Promise<Map<WebhookSourceName, SourceKeys>>; until: number } | null = null;

  const forget = () => {
    kept = null;
  };
  context.events.onEvent((event) => event.topic === "webhook-source" && forget());
  context.events.onGap(forget);

  async function load(): Promise<Map<WebhookSourceName, SourceKeys>> {
    const rows = await listSourceRows(context.db);
    return new Map(rows.map((row) => [row.source, keysOf(row, context.encryptionKeys)]));
  }

  return {
    forget,
    async of(source: WebhookSourceName): Promise<SourceKeys> {
      if (!kept || kept.until < performance.now()) {
        const keys = load();
        kept = { keys, until: performance.now() + rememberMs };
        keys.catch(forget);
      }
      return (await kept.keys).get(source) ?? none;
    },
  };
}

/** How long the previous key stays valid, so that a sender can change to the new one without an interruption. */
export const overlapHours = 24;

/** Creates a key: 32 random bytes, with a prefix by which secret scanners recognize it. */
export function newKey(): string {
  return `whk_${randomBytes(32).toString("base64url")}`;
}

/** Whether the source's key may sign bodies, as with the plain source. Such a key must be stored so that it can be decrypted. */
export function signsBodies(source: WebhookSourceName): boolean {
  return source === "lead";
}

export function encryptionPurpose(source: WebhookSourceName, what: "key" | "client secret"): StoredPurpose {
  return `intake ${source} ${what}`;
}
