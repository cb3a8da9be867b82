import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Language } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import type { recordingFailures, VoicemailRecording } from "@portal/contract/routes/voicemail-messages";
import type { Tx } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { Queue } from "../../../platform/jobs/jobs.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { Telephony } from "../../../ports/telephony.ts";
import { findLiveCall, findRepPhone } from "../outbound/repository.ts";
import { requireTelephony } from "../outbound/service.ts";
import { type CallsContext, providerRetries } from "../types.ts";
import { readSound } from "./read-sound.ts";
import {
  endStaleRecordings,
  findLiveRecording,
  insertRecording,
  lockRecording,
  type RecordingRow,
  updateRecording,
} from "./repository.ts";
import { checkedName, checkRoom, saveMessage } from "./service.ts";

type Failure = (typeof recordingFailures)[number];

const hashOf = (key: string) => createHash("sha256").update(key).digest("hex");

/** Presents a call to record a message. */
export function presentRecording(row: RecordingRow): VoicemailRecording {
  const { id, name, language, failure, endedAt, answeredAt } = row;
  const state = failure ? "failed" : endedAt ? "saved" : answeredAt ? "recording" : "calling";
  return { id, name, language, state, failure };
}

/** Updates a recording and publishes the event to its user. */
async function add(tx: Tx, row: RecordingRow, changes: Partial<RecordingRow>): Promise<void> {
  await updateRecording(tx, row.id, changes);
  await publishEvent(tx, { topic: "voicemail-message", id: row.id, audience: [row.userId] });
}

const ended = (failure: Failure | null) => ({ failure, endedAt: new Date() });

/** Callback addresses of a recording call; each contains the call's key. */
export function recordingUrls(publicUrl: string, { id, key }: { id: number; key: string }) {
  const url = (path: string) =>
    `${publicUrl}/api/twilio/voice/${path}?recording=${id}&key=${key}${providerRetries}`;
  return {
    answered: url("message-answered"),
    record: url("message-record"),
    done: url("message-recorded"),
    sound: url("message-sound"),
    repStatus: url("message-status"),
  };
}

/** A request to record a message on the user's own phone. */
interface Wish {
  userId: number;
  name: string;
  language: Language;
}

/** Inserts the call; a live one of the same user is returned instead. Nobody is rung yet. */
async function request(context: CallsContext, telephony: Telephony, { userId, ...wish }: Wish) {
  const name = checkedName(wish.name);
  const key = randomBytes(24).toString("base64url");
  return context.database.transaction(async (tx) => {
    await checkRoom(tx, userId);
    await endStaleRecordings(tx, userId);
    const live = await findLiveRecording(tx, userId);
    if (live) return { row: live, key: null, phone: "" };
    if (await findLiveCall(tx, userId))
      throw new AppError("rep_on_call", "You are on a call. Try again when it is over.");
    const phone = await findRepPhone(tx, userId);
    if (!phone || phone === telephony.callerId)
      throw new AppError("rep_without_phone", "Add your own phone number in Settings first.");
    const row = await insertRecording(tx, { userId, name, language: wish.language, keyHash: hashOf(key) });
    return { row, key, phone };
  });
}

/** Rings the user's own phone to record a message. Errors: see the contract's `recordVoicemailMessage`. */
export async function startRecording(context: CallsContext, wish: Wish): Promise<RecordingRow> {
  const telephony = requireTelephony(context);
  const { row, key, phone } = await request(context, telephony, wish);
  if (!key) return row;
  try {
    const urls = recordingUrls(context.publicUrl, { id: row.id, key });
    const leg = await telephony.placeCall({ to: phone, urls });
    await change(context, row.id, (known) => ({ callSid: known.callSid ?? leg.sid }));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind, providerCode, ambiguous } = error;
    context.log.warn(
      { recordingId: row.id, kind, providerCode, ambiguous },
      "phone not rung to record a message",
    );
    // The phone may ring all the same; callbacks with its key will tell.
    if (!ambiguous) await change(context, row.id, () => ended("refused"));
  }
  return (await context.database.transaction((tx) => lockRecording(tx, row.id))) ?? row;
}

/** Updates a recording that has not ended. */
async function change(
  context: CallsContext,
  id: number,
  changesOf: (row: RecordingRow) => Partial<RecordingRow>,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const row = await lockRecording(tx, id);
    if (row && !row.endedAt) await add(tx, row, changesOf(row));
  });
}

/** A callback with a recording's key. */
export interface RecordingCallback {
  id: number;
  key: string;
  callSid: string;
}

/** Handles a callback; returns null if the key does not match or the recording has ended. */
export async function receiveRecording(
  context: CallsContext,
  { id, key, callSid }: RecordingCallback,
  work: (tx: Tx, row: RecordingRow) => Promise<void>,
): Promise<RecordingRow | null> {
  return context.database.transaction(async (tx) => {
    const row = await lockRecording(tx, id);
    if (!row || row.endedAt) return null;
    if (!timingSafeEqual(Buffer.from(row.keyHash), Buffer.from(hashOf(key)))) return null;
    if (row.callSid !== null && row.callSid !== callSid) return null;
    if (row.callSid === null) await updateRecording(tx, id, { callSid });
    await work(tx, row);
    return row;
  });
}

/** The user pressed 1 and is being recorded. */
export const noteAnswered = (tx: Tx, row: RecordingRow) =>
  add(tx, row, { answeredAt: row.answeredAt ?? new Date() });

/** The phone was not answered, or 1 was not pressed. If the user spoke, the sound is still to come. */
export async function noteHungUp(tx: Tx, row: RecordingRow): Promise<void> {
  if (!row.answeredAt) await add(tx, row, ended("unanswered"));
}

/** The provider has the sound, or there is none. */
export async function noteSound(
  context: CallsContext,
  tx: Tx,
  row: RecordingRow,
  recordingSid: string | null,
): Promise<void> {
  if (recordingSid === null) return add(tx, row, ended("silent"));
  if (row.recordingSid) return;
  await add(tx, row, { recordingSid });
  await context.jobs.enqueue(tx, queue, { id: row.id });
}

/** Downloads a sound, up to the maximum size of a message. */
async function download(telephony: Telephony, recordingSid: string): Promise<Buffer> {
  const sound = await telephony.openRecording(recordingSid, {
    range: null,
    signal: AbortSignal.timeout(30_000),
  });
  if ("total" in sound) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of sound.body) {
    size += (chunk as Buffer).length;
    if (size > limits.voicemailMessageMaxBytes)
      throw new AppError("sound_invalid", "The recording is too large.");
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/**
 * Saves a recorded sound as a message, once, and deletes it at the provider. Errors: `ProviderError` if the provider does not have it yet,
 * or cannot delete it.
 */
async function takeSound(context: CallsContext, id: number): Promise<void> {
  const telephony = requireTelephony(context);
  const find = () => context.database.transaction((tx) => lockRecording(tx, id));
  const known = await find();
  if (!known?.recordingSid) return;
  if (!known.endedAt) await keepSound(context, telephony, { id, recordingSid: known.recordingSid });
  // A sound that could not be read stays at the provider.
  if ((await find())?.messageId) await telephony.deleteRecording(known.recordingSid);
}

async function keepSound(
  context: CallsContext,
  telephony: Telephony,
  { id, recordingSid }: { id: number; recordingSid: string },
): Promise<void> {
  try {
    const sound = await readSound(await download(telephony, recordingSid));
    await context.database.transaction(async (tx) => {
      const row = await lockRecording(tx, id);
      if (!row || row.endedAt) return;
      const messageId = await saveMessage(tx, {
        userId: row.userId,
        name: row.name,
        language: row.language,
        sound,
      });
      await add(tx, row, { ...ended(null), messageId });
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await change(context, id, () => ended("lost"));
  }
}

const queue = "voicemail-recordings";

/** The queue that saves recorded messages; it retries, as the provider may take a moment to have the sound. */
export function recordingsQueue(context: CallsContext): Queue<{ id: number }> {
  return {
    name: queue,
    retryLimit: 6,
    retryDelay: 2,
    retryDelayMax: 60,
    expireInSeconds: 60,
    concurrency: 1,
    work: ({ id }) => takeSound(context, id),
  };
}
