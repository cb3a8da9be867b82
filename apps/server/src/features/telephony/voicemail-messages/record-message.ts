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
} from "./recording-repository.ts";
import { checkedName, checkRoom, saveMessage } from "./service.ts";

type Failure = (typeof recordingFailures)[number];

const hashOf = (key: string) => createHash("sha256").update(key).digest("hex");

/** A call to record a message as the API answers it. */
export function presentRecording(row: RecordingRow): VoicemailRecording {
  const { id, name, language, failure, endedAt, answeredAt } = row;
  const state = failure ? "failed" : endedAt ? "saved" : answeredAt ? "recording" : "calling";
  return { id, name, language, state, failure };
}

/** Adds what became known of a recording that is under way, and tells its person. */
async function add(tx: Tx, row: RecordingRow, changes: Partial<RecordingRow>): Promise<void> {
  await updateRecording(tx, row.id, changes);
  await publishEvent(tx, { topic: "voicemail-message", id: row.id, audience: [row.userId] });
}

const ended = (failure: Failure | null) => ({ failure, endedAt: new Date() });

/** Where the provider asks and tells about a call; each address carries its key. */
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

/** What is asked for of a person's own phone. */
interface Wish {
  userId: number;
  name: string;
  language: Language;
}

/** Writes the call down, once: a live one of the same person is answered as it is. Nobody is rung yet. */
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

/** Rings the person's own phone to record a message. Errors: see the contract's `recordVoicemailMessage`. */
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
    // It may ring all the same: what comes with its key tells.
    if (!ambiguous) await change(context, row.id, () => ended("refused"));
  }
  return (await context.database.transaction((tx) => lockRecording(tx, row.id))) ?? row;
}

/** Adds to a recording that is under way; one that has ended stays as it is. */
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

/** What the provider says with the key of a call. */
export interface RecordingCallback {
  id: number;
  key: string;
  callSid: string;
}

/** Adds what the provider said; null where the key is another call's, or the call is over. */
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

/** The person pressed 1: from now on they speak. */
export const noteAnswered = (tx: Tx, row: RecordingRow) =>
  add(tx, row, { answeredAt: row.answeredAt ?? new Date() });

/** Their phone was not answered, or no 1 was pressed; where they spoke, the sound is still to come. */
export async function noteHungUp(tx: Tx, row: RecordingRow): Promise<void> {
  if (!row.answeredAt) await add(tx, row, ended("unanswered"));
}

/** The provider has the sound, or there was none. */
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

/** Reads a sound whole, up to what a message may have. */
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
 * Takes a recorded sound in as a message, once; ours is the only copy from then on. Errors: `ProviderError` where the provider does not have it yet, or
 * could not be asked to delete it.
 */
async function takeSound(context: CallsContext, id: number): Promise<void> {
  const telephony = requireTelephony(context);
  const find = () => context.database.transaction((tx) => lockRecording(tx, id));
  const known = await find();
  if (!known?.recordingSid) return;
  if (!known.endedAt) await keepSound(context, telephony, { id, recordingSid: known.recordingSid });
  // One that could not be read stays where it is.
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

/** Takes recorded messages in; the provider may need a moment until it has their sound. */
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
