import { randomBytes } from "node:crypto";
import type { WebhookSourceName } from "@portal/contract/entities/lead-webhook";
import { decrypt, type EncryptionKeys, type StoredPurpose } from "../../domain/encryption.ts";
import type { Db } from "../../platform/db/client.ts";
import type { EventListener } from "../../platform/realtime/listener.ts";
import { listSourceRows, type SourceRow } from "./source-repository.ts";

/** The keys that admit requests at a source. */
export interface SourceKeys {
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
export function createSourceKeys(context: { db: Db; events: EventListener; encryptionKeys: EncryptionKeys }) {
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
