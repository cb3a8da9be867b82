import type { Queue, Scheduler } from "../../platform/jobs/jobs.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { canBeReached, holdReminder, listOwedReaders } from "./list-owed.ts";
import {
  type DuePush,
  deleteEndedDevices,
  deleteLostDevice,
  findDuePushes,
  findPushEvent,
  findPushReader,
  listPushUsers,
  type PushReader,
} from "./push-repository.ts";
import { readPushKeys } from "./read-push-keys.ts";
import { jobIdOf, type NotificationsContext } from "./service.ts";
import { type PushContent, writePush } from "./write-push.ts";

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

const roundMs = 3_000;
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
  scheduler.every(roundMs, () => queueDuePushes(context, queued));
  scheduler.every(tidyMs, () => deleteEndedDevices(context.database.db, context.sessionMaxDays));
}
