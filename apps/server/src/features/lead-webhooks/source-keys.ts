import type { IntakeSource } from "@portal/contract/entities/lead-webhook";
import type { Db } from "../../db/client.ts";
import type { EventListener } from "../../events/listener.ts";
import { openSealed } from "../../values/sealed-text.ts";
import { listSourceRows, type SourceRow } from "./data-sources.ts";
import { sealPurpose } from "./keys.ts";

/** What lets a request in at a source. */
export interface SourceKeys {
  /** Whether a key or secret is set, also where it cannot be opened: then nobody holds it. */
  isKeyed: boolean;
  /** Hashes of the key and of the one before it, while that works. */
  hashes: { hash: string; until: number | null }[];
  /** Keys that bodies are signed with. */
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

/** Events can be late by a lost connection: nothing is remembered for longer. */
const rememberMs = 30_000;

function keysOf(row: SourceRow, encryptionKey: string): SourceKeys {
  const open = (sealed: string | null, what: "key" | "client secret") =>
    sealed && openSealed(sealed, { encryptionKey, purpose: sealPurpose(row.source, what) });
  const until = row.previousUntil?.getTime() ?? null;
  const [key, previous] = [open(row.keySealed, "key"), until && open(row.previousSealed, "key")];
  return {
    isKeyed: row.keyHash !== null || row.clientSecretSealed !== null,
    hashes: [
      ...(row.keyHash ? [{ hash: row.keyHash, until: null }] : []),
      ...(row.previousHash && until ? [{ hash: row.previousHash, until }] : []),
    ],
    signing: [...(key ? [{ key, until: null }] : []), ...(previous ? [{ key: previous, until }] : [])],
    clientSecret: open(row.clientSecretSealed, "client secret"),
    organizationId: row.organizationId,
  };
}

/** The keys of all sources, remembered in this process until an event says that one was changed. */
export function createSourceKeys(context: { db: Db; events: EventListener; encryptionKey: string }) {
  let kept: { keys: Promise<Map<IntakeSource, SourceKeys>>; until: number } | null = null;

  const forget = () => {
    kept = null;
  };
  context.events.onEvent((event) => event.topic === "webhook-source" && forget());
  context.events.onGap(forget);

  async function load(): Promise<Map<IntakeSource, SourceKeys>> {
    const rows = await listSourceRows(context.db);
    return new Map(rows.map((row) => [row.source, keysOf(row, context.encryptionKey)]));
  }

  return {
    forget,
    async of(source: IntakeSource): Promise<SourceKeys> {
      if (!kept || kept.until < Date.now()) {
        const keys = load();
        kept = { keys, until: Date.now() + rememberMs };
        keys.catch(forget);
      }
      return (await kept.keys).get(source) ?? none;
    },
  };
}
