import * as contract from "@portal/contract/routes/notifications";
import * as pushContract from "@portal/contract/routes/push";
import type { FastifyInstance } from "fastify";
import type { Database, Db } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import {
  claimPushTest,
  deletePushDevice,
  findPushReader,
  listPushDevices,
  type PushDeviceRow,
  savePushDevice,
} from "./push-repository.ts";
import { listRecentNotifications } from "./repository.ts";
import { readPushKeys, sendToDevice, writeTestPush } from "./send-pushes.ts";
import { listOwedReaders, type NotificationsContext } from "./service.ts";

const windowMs = 2 * 60_000;
const longestMs = 3 * 86_400_000;

/**
 * Start of the window for notifications of an open page: two minutes ago; for a user who has just come back the beginning of the absence,
 * at most three days ago.
 */
async function noticesSince(db: Db, userId: number): Promise<Date> {
  const [owed] = await listOwedReaders(db, { userIds: [userId], windowMs });
  const now = Date.now();
  return new Date(Math.max(now - longestMs, owed?.since.getTime() ?? now - windowMs));
}

/** Routes for desktop notifications. */
export function registerNotificationRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  bindRoute(app, contract.listNotifications, async ({ actor }) => {
    const { userId, role } = actor;
    const { db } = database;
    const since = await noticesSince(db, userId);
    const rows = await listRecentNotifications(db, { userId, isAdmin: role === "admin", since });
    return rows.map(({ kind, id, from, leadId, text, at, exported }) => ({
      kind,
      id,
      from,
      leadId,
      text,
      at: at.toISOString(),
      ...(exported && { exported }),
    }));
  });
}

const testEverySeconds = 5;

function presentDevice({ id, sessionId, createdAt, userAgent }: PushDeviceRow, actor: AuthSession) {
  return {
    id,
    current: sessionId === actor.sessionId,
    createdAt: createdAt.toISOString(),
    userAgent: userAgent || null,
  };
}

const none = () => new AppError("not_found", "This browser takes no push notifications.");

/** Sends a test notification. Errors: `not_found`, `rate_limited`, `provider_refused`, `provider_unavailable`. */
async function sendTest(context: NotificationsContext, { sessionId, userId }: AuthSession): Promise<void> {
  const { database, sessionMaxDays: maxDays } = context;
  const own = (await listPushDevices(database.db, { userId, maxDays })).find(
    (device) => device.sessionId === sessionId,
  );
  if (!own) throw none();
  if (!(await claimPushTest(database.db, { sessionId, everySeconds: testEverySeconds })))
    throw new AppError("rate_limited", "A test was sent a moment ago.", {
      retryAfterSeconds: testEverySeconds,
    });
  const reader = await findPushReader(database.db, { deviceId: own.id, maxDays });
  if (!reader) throw none();
  await sendToDevice(context, reader, writeTestPush(reader.language)).catch((error: unknown) => {
    if (error instanceof ProviderError && error.kind === "not-found") throw none();
    throw error;
  });
}

/** Routes for a user's own push devices. */
export function registerPushRoutes(app: FastifyInstance, context: NotificationsContext): void {
  const { database, push, sessionMaxDays: maxDays } = context;
  const devicesOf = async (actor: AuthSession) =>
    (await listPushDevices(database.db, { userId: actor.userId, maxDays })).map((row) =>
      presentDevice(row, actor),
    );

  bindRoute(app, pushContract.getPush, async ({ actor }) => {
    // The key first, as creating a new one deletes all devices.
    const { publicKey } = await readPushKeys(context);
    return { publicKey, session: actor.sessionId, devices: await devicesOf(actor) };
  });
  bindRoute(app, pushContract.savePushDevice, async ({ body, actor }) => {
    const target = { endpoint: body.endpoint, ...body.keys };
    if (!push.accepts(target))
      throw new AppError("invalid", "endpoint: this is no push service that the portal sends to.");
    const { sessionId } = actor;
    const { isRenewal = false } = body;
    const isSaved = await database.transaction((tx) =>
      savePushDevice(tx, { sessionId, isRenewal, ...target }),
    );
    const own = isSaved && (await devicesOf(actor)).find(({ current }) => current);
    if (!own && isRenewal) throw none();
    if (!own) throw new AppError("unauthenticated");
    return own;
  });
  bindRoute(app, pushContract.removePushDevice, async ({ params, actor }) => {
    if (!(await deletePushDevice(database.db, { id: params.id, userId: actor.userId })))
      throw new AppError("not_found", "This device takes no push notifications any more.");
    return { message: "No push notifications go to that device any more." };
  });
  bindRoute(app, pushContract.testPush, async ({ actor }) => {
    await sendTest(context, actor);
    return { message: "The notification is on its way." };
  });
}
