import type { Lead } from "@portal/contract/entities/lead";
import type { CurrentUser } from "@portal/contract/entities/user";
import { getCurrentUser } from "@portal/contract/routes/auth";
import { listCallLogs } from "@portal/contract/routes/calls";
import { getDashboardStats, getLead } from "@portal/contract/routes/leads";
import type { QueryClient } from "@tanstack/react-query";
import { ApiError, request, routePath } from "../api.ts";
import { noteAnswer } from "../connection.ts";
import { readChangedLeads, showSavedLead } from "../lead-updates.ts";
import { invalidatePaths } from "../query-client.ts";
import { createPersonalStore } from "../store.ts";
import { newClientRef } from "../use-client-ref.ts";
import { addItem, clearItems, findItem, listItems, removeItem, replaceItem } from "./queue-database.ts";
import { afterEarlier, type OfflineWrite, type QueueItem, requestOf } from "./queue-item.ts";

const SHARED_NAME = "lead-desk.offline-queue";
/** Time-out of the first try: after it the item waits in the queue, and the user goes on. */
const answerMs = 20_000;
/** Statuses of proxies and of an overloaded portal, after which the request is retried. */
const passing = [408, 429, 502, 503, 504];

/** Why an item still waits: no response, or the session has ended. */
export type WaitReason = "network" | "session";
/** Result of a write: sent (without a response where another tab sent it), or queued. */
export type Saved<T> = { state: "sent"; answer: T | undefined } | { state: "waiting"; reason: WaitReason };

type Result =
  | { kind: "sent"; answer: unknown }
  | { kind: "refused"; error: ApiError }
  | { kind: "waits"; reason: WaitReason };

/** The queued items of the signed-in person in order, without those whose first try is under way. */
export const queueItems = createPersonalStore<readonly QueueItem[]>([]);

/** Whether the list of it is open. */
export const isQueueOpen = createPersonalStore(false);

/** Items that a form of this page waits for: it shows a refusal itself. */
const attended = new Map<number, (result: Result) => void>();

/** Updates the shown items in this tab and the others. */
async function showQueue(userId: number): Promise<void> {
  await readQueue(userId);
  const channel = new BroadcastChannel(SHARED_NAME);
  channel.postMessage(userId);
  channel.close();
}

export async function readQueue(userId: number): Promise<void> {
  const items = await listItems(userId);
  queueItems.set(items.filter(({ id }) => !attended.has(id)));
}

/** Number of queued items of a person; 0 where the browser has no database. */
export async function countUnsent(userId: number): Promise<number> {
  return (await listItems(userId).catch(() => [])).length;
}

/** Runs `onChange` when another tab has changed what waits, until the returned function is called. */
export function watchQueue(onChange: () => void): () => void {
  const channel = new BroadcastChannel(SHARED_NAME);
  channel.onmessage = onChange;
  return () => channel.close();
}

const knownUser = (client: QueryClient) =>
  client.getQueryData<CurrentUser | null>([getCurrentUser.path]) ?? null;

let last: Promise<unknown> = Promise.resolve();

/** One sender over all tabs, which keeps the order; without Web Locks (plain http in a LAN) there is one in each tab. */
function exclusively<T>(send: () => Promise<T>): Promise<T> {
  if ("locks" in navigator) return navigator.locks.request(SHARED_NAME, send) as Promise<T>;
  const done = last.then(send);
  last = done.catch(() => undefined);
  return done;
}

function resultOf(error: unknown): Result {
  if (!(error instanceof ApiError) || passing.includes(error.status))
    return { kind: "waits", reason: "network" };
  // An HTML page in place of JSON means that the session has ended.
  if (error.status === 401 || error.message.includes("Sesión expirada"))
    return { kind: "waits", reason: "session" };
  return error.status < 400 ? { kind: "waits", reason: "network" } : { kind: "refused", error };
}

/** Why a failed request can be retried later; null where the server has refused it. */
export function waitReasonOf(error: unknown): WaitReason | null {
  const result = resultOf(error);
  return result.kind === "waits" ? result.reason : null;
}

async function attempt(item: QueueItem, withSeen: boolean): Promise<Result> {
  const { method, path, body } = requestOf(item, withSeen);
  try {
    const signal = AbortSignal.timeout(answerMs);
    const { data } = await request(method, path, { body, signal, account: item.userId });
    noteAnswer(true);
    return { kind: "sent", answer: data };
  } catch (error) {
    noteAnswer(error instanceof ApiError && error.status < 502);
    return resultOf(error);
  }
}

/** Sends one item and stores the result. */
async function send(client: QueryClient, item: QueueItem): Promise<Result> {
  const notify = attended.get(item.id);
  const result = await attempt(item, notify === undefined);
  notify?.(result);
  if (result.kind === "waits") return result;
  if (result.kind === "sent" || notify) await removeItem(item.id);
  if (notify) return result;
  if (result.kind === "sent") void showSent(client, item, result.answer);
  else {
    const { status, text, body } = result.error;
    await replaceItem({ ...item, refusal: { status, text, body } });
    takeBack(client, item.leadId);
  }
  return result;
}

function showSent(client: QueryClient, { leadId, write }: QueueItem, answer: unknown): Promise<void> {
  if (write.kind !== "outcome") return showSavedLead(client, answer as Lead);
  const counted = invalidatePaths(client, [listCallLogs.path, getDashboardStats.path]);
  return readChangedLeads(client, [leadId], counted);
}

/** Replaces the optimistic data of a lead by the server's. */
function takeBack(client: QueryClient, leadId: number): void {
  const counted = invalidatePaths(client, [
    routePath(getLead, { id: leadId }),
    listCallLogs.path,
    getDashboardStats.path,
  ]);
  void readChangedLeads(client, [leadId], counted);
}

/**
 * Sends the queued items of the signed-in person one after the other in their order, until one gets no response. Refused items stay for
 * their author to decide and do not block the others. Returns how many were sent, and why the rest waits.
 */
export async function sendQueue(client: QueryClient): Promise<{ sent: number; waits: WaitReason | null }> {
  const user = knownUser(client);
  if (!user) return { sent: 0, waits: null };
  return exclusively(async () => {
    let sent = 0;
    let waits: WaitReason | null = null;
    const items = (await listItems(user.id)).filter(({ refusal }) => !refusal);
    for (const item of items) {
      const isOwn = attended.has(item.id);
      const result = await send(client, item);
      if (result.kind === "waits") {
        waits = result.reason;
        break;
      }
      if (isOwn) continue;
      if (result.kind === "sent") sent += 1;
      await showQueue(user.id);
    }
    if (waits === "session" && attended.size === 0) void invalidatePaths(client, [getCurrentUser.path]);
    return { sent, waits };
  });
}

export interface NewWrite {
  leadId: number;
  leadName: string;
  write: OfflineWrite;
  clientRef?: string | undefined;
}

/** Adds an item to the queue of the signed-in person; null where nobody is signed in, or the browser has no database. */
async function writeDown(
  client: QueryClient,
  { write, clientRef, ...of }: NewWrite,
): Promise<QueueItem | null> {
  const user = knownUser(client);
  if (!user) return null;
  try {
    const earlier = (await listItems(user.id)).filter((item) => item.leadId === of.leadId && !item.refusal);
    const item = {
      ...of,
      userId: user.id,
      saidAt: Date.now(),
      clientRef: clientRef ?? newClientRef(),
      write: afterEarlier(write, earlier),
    };
    return { ...item, id: await addItem(item) };
  } catch {
    return null;
  }
}

/**
 * Saves a write of the user. It is stored in the browser first, so that neither a closed tab nor a lost network loses it; without a
 * response it stays queued and is sent later. @throws ApiError if the server refuses; TypeError without a response if the browser cannot
 * store it.
 */
export async function saveWrite<T>(client: QueryClient, wanted: NewWrite): Promise<Saved<T>> {
  const item = await writeDown(client, wanted);
  if (item === null) return { state: "sent", answer: await sendAtOnce<T>(wanted) };
  const { id, userId } = item;
  let result: Result | undefined;
  attended.set(id, (own) => {
    result = own;
  });
  const { waits } = await sendQueue(client).catch(() => ({ waits: "network" as const }));
  attended.delete(id);
  const own = result as Result | undefined;
  if (own?.kind === "sent") return { state: "sent", answer: own.answer as T };
  if (own?.kind === "refused") throw own.error;
  const left = await findItem(id).catch(() => item);
  if (!left) return { state: "sent", answer: undefined };
  if (left.refusal) {
    // Another tab has sent it.
    await removeItem(id);
    throw new ApiError(left.refusal);
  }
  await showQueue(userId).catch(() => undefined);
  return { state: "waiting", reason: waits ?? "network" };
}

/** Queues a write without trying to send it; returns whether the browser has stored it. */
export async function queueWrite(client: QueryClient, wanted: NewWrite): Promise<boolean> {
  const item = await writeDown(client, wanted);
  if (item) await showQueue(item.userId);
  return item !== null;
}

async function sendAtOnce<T>({ leadId, leadName, write, clientRef = newClientRef() }: NewWrite): Promise<T> {
  const item = { id: 0, userId: 0, leadId, leadName, saidAt: 0, clientRef, write };
  const { method, path, body } = requestOf(item, false);
  return (await request(method, path, { body })).data as T;
}

/** Removes an item from the queue, as its author decided. */
export async function discardItem(client: QueryClient, { id, userId, leadId }: QueueItem): Promise<void> {
  await removeItem(id);
  await showQueue(userId);
  takeBack(client, leadId);
}

/** Sends a refused item again, with other content if given. */
export async function sendAgain(client: QueryClient, item: QueueItem): Promise<number> {
  const { refusal: _refused, ...again } = item;
  await replaceItem(again);
  await showQueue(item.userId);
  return (await sendQueue(client)).sent;
}

/** Removes all items of a person who signs out. */
export async function clearQueue(userId: number): Promise<void> {
  await clearItems(userId);
  await showQueue(userId);
}
