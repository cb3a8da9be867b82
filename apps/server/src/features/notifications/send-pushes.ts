import type { Language } from "@portal/contract/entities/user";
import { decrypt, encrypt } from "../../domain/encryption.ts";
import { lockText } from "../../platform/db/advisory-locks.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { Queue, Scheduler } from "../../platform/jobs/jobs.ts";
import type { PushKeys } from "../../ports/notification-channels.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import {
  type DuePush,
  deleteEndedDevices,
  deleteLostDevice,
  findDuePushes,
  findPushEvent,
  findPushKeys,
  findPushReader,
  listPushUsers,
  type PushEvent,
  type PushReader,
  replacePushKeys,
} from "./push-repository.ts";
import {
  canBeReached,
  holdReminder,
  jobIdOf,
  listOwedReaders,
  type NotificationsContext,
} from "./service.ts";

const pushQueue = "push";
type PushJob = DuePush & {
  /** How often it was postponed because the user was not available. */
  held?: number;
};

const referenceOf = ({ kind, id, version, deviceId }: DuePush) => `push-${kind}-${id}-${version}-${deviceId}`;

/** How long a push service stores a notification for a browser that is offline. */
const ttlSeconds = 4 * 3_600;

/**
 * Sends a notification to a device's push service. A device that the service no longer knows is deleted. Errors: `ProviderError`, as of the
 * port.
 */
export async function sendToDevice(
  context: NotificationsContext,
  device: Pick<PushReader, "id" | "endpoint" | "p256dh" | "auth">,
  content: PushContent,
): Promise<void> {
  const { id, endpoint, p256dh, auth } = device;
  const keys = await readPushKeys(context);
  try {
    await context.push.send({
      target: { endpoint, p256dh, auth },
      keys,
      text: JSON.stringify(content),
      ttlSeconds,
    });
  } catch (error) {
    if (error instanceof ProviderError && error.kind === "not-found")
      await deleteLostDevice(context.database.db, { id, endpoint });
    throw error;
  }
}

const wants = (reader: PushReader, kind: DuePush["kind"]) =>
  (kind !== "text" || reader.wantsTexts) && (kind !== "missed-call" || reader.wantsCalls);

async function sendPush(context: NotificationsContext, job: PushJob): Promise<void> {
  const { database, log, sessionMaxDays: maxDays } = context;
  const { kind, deviceId } = job;
  const reader = await findPushReader(database.db, { deviceId, maxDays });
  if (!reader || !wants(reader, kind)) return;
  const event = await findPushEvent(database.db, job, reader);
  if (!event) return;
  if (!(await canBeReached(database.db, reader.userId)))
    return holdReminder(context, { queue: pushQueue, job, reference: referenceOf(job) });
  try {
    await sendToDevice(context, reader, writePush(job, event, reader));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const given = { kind, deviceId, failure: error.kind, code: error.providerCode };
    if (error.kind === "unavailable" || error.kind === "rate-limited") {
      log.warn(given, "push not sent, it will be tried again");
      throw error;
    }
    log.warn(given, "push refused for good");
  }
}

/** The queue of push notifications, which retries for about an hour. */
export function pushJobs(context: NotificationsContext, retryDelay = 2): Queue<PushJob> {
  return {
    name: pushQueue,
    retryLimit: 12,
    retryDelay,
    retryDelayMax: 600,
    expireInSeconds: 60,
    concurrency: 4,
    work: (job) => sendPush(context, job),
  };
}

const intervalMs = 3_000;
const pushWindowMs = 600_000;
const tidyMs = 60_000;
const queuedMax = 20_000;

/**
 * Queues the push notifications that are due. Any process may call it; each event has one push per device. `queued` are those that this
 * process has queued before.
 */
export async function queueDuePushes(
  context: Pick<NotificationsContext, "database" | "jobs" | "sessionMaxDays">,
  queued = new Set<string>(),
): Promise<void> {
  const { db } = context.database;
  const { sessionMaxDays: maxDays } = context;
  const owed = await listOwedReaders(db, {
    userIds: await listPushUsers(db, maxDays),
    windowMs: pushWindowMs,
  });
  const due = (await findDuePushes(db, { maxDays, owed }))
    .map((push) => ({ push, reference: referenceOf(push) }))
    .filter(({ reference }) => !queued.has(reference));
  if (due.length === 0) return;
  await context.database.transaction(async (tx) => {
    for (const { push, reference } of due)
      await context.jobs.enqueue(tx, pushQueue, push, { id: jobIdOf(reference) });
  });
  if (queued.size > queuedMax) queued.clear();
  for (const { reference } of due) queued.add(reference);
}

/** Starts the scheduled tasks for push notifications in this process. */
export function startPushJobs(context: NotificationsContext, scheduler: Scheduler): void {
  const queued = new Set<string>();
  scheduler.every(intervalMs, () => queueDuePushes(context, queued));
  scheduler.every(tidyMs, () => deleteEndedDevices(context.database.db, context.sessionMaxDays));
}

const purpose = "push private key";

/**
 * The portal's pair of keys, shared by all processes and created on first use. A pair that neither key reads is not replaced, because every
 * device would be lost with it. Errors: `unavailable` until it can be read, or was deleted (`npm run push:reset`).
 */
export async function readPushKeys({
  database,
  push,
  encryptionKeys,
}: Pick<NotificationsContext, "database" | "push" | "encryptionKeys">): Promise<PushKeys> {
  const read = async (db: Parameters<typeof findPushKeys>[0]): Promise<PushKeys | null> => {
    const row = await findPushKeys(db);
    const privateKey = row && decrypt(row.privateKey, { encryptionKeys, purpose });
    if (!row) return null;
    if (!privateKey)
      throw new AppError(
        "unavailable",
        "Push notifications rest: their key cannot be read with this ENCRYPTION_KEY. An administrator finds more under Diagnostics.",
      );
    return { publicKey: row.publicKey, privateKey };
  };
  const known = await read(database.db);
  if (known) return known;
  return database.transaction(async (tx) => {
    await lockText(tx, "pushKeys", "");
    const made = await read(tx);
    if (made) return made;
    const keys = push.newKeys();
    await replacePushKeys(tx, {
      publicKey: keys.publicKey,
      privateKey: encrypt(keys.privateKey, { encryptionKeys, purpose }),
    });
    return keys;
  });
}

/** What the service worker shows; encrypted for the browser, so that push services cannot read it. */
interface PushContent {
  title: string;
  body: string;
  /** A later notification with the same tag replaces this one. */
  tag: string;
  /** The page of the portal to open. */
  url: string;
}

/** A message may have 4,096 bytes; lock screens show less of a text than this. */
const wordsMax = 200;

type Words = Record<Language, string>;

const titles: Record<DuePush["kind"], { lead: Words; stranger: Words; named: (name: string) => Words }> = {
  text: {
    lead: { en: "New text from a lead", es: "Nuevo mensaje de un prospecto" },
    stranger: { en: "New text from an unknown number", es: "Nuevo mensaje de un número desconocido" },
    named: (name) => ({ en: `New text from ${name}`, es: `Nuevo mensaje de ${name}` }),
  },
  "missed-call": {
    lead: { en: "Missed call from a lead", es: "Llamada perdida de un prospecto" },
    stranger: { en: "Missed call from an unknown number", es: "Llamada perdida de un número desconocido" },
    named: (name) => ({ en: `Missed call from ${name}`, es: `Llamada perdida de ${name}` }),
  },
  "follow-up": {
    lead: { en: "A follow-up is due", es: "Tienes un seguimiento para ahora" },
    stranger: { en: "A follow-up is due", es: "Tienes un seguimiento para ahora" },
    named: (name) => ({ en: `Follow up with ${name}`, es: `Seguimiento con ${name}` }),
  },
};

/** The same tag as in a page of the portal, so that the two replace each other. */
function tagOf({ kind, id, version }: Pick<DuePush, "kind" | "id" | "version">): string {
  return version ? `${kind}-${id}-${new Date(Number(version)).toISOString()}` : `${kind}-${id}`;
}

/** A notification in its user's language; with names and texts only if the user allows them. */
export function writePush(
  due: Pick<DuePush, "kind" | "id" | "version">,
  { leadId, name, words }: PushEvent,
  { language, withNames }: { language: Language; withNames: boolean },
): PushContent {
  const title = titles[due.kind];
  const said = withNames ? title.named(name) : leadId === null ? title.stranger : title.lead;
  return {
    title: said[language],
    body: withNames ? [...words].slice(0, wordsMax).join("") : "",
    tag: tagOf(due),
    url: leadId === null ? "/inbox" : `/leads/${leadId}`,
  };
}

/** The test notification. */
export function writeTestPush(language: Language): PushContent {
  return {
    title:
      language === "es"
        ? "Las notificaciones funcionan en este dispositivo"
        : "Notifications work on this device",
    body: "",
    tag: "test",
    url: "/settings",
  };
}
