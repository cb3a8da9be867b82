import type { Call } from "@portal/contract/entities/call";
import type { Language } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import { lockPerson } from "../../../platform/db/advisory-locks.ts";
import type { Database, Db, Tx } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import { type CallRow, findLeadLanguage } from "../outbound/repository.ts";
import { leadLanguage } from "../policy.ts";
import type { CallsContext } from "../types.ts";
import { type MessageSound, readSound } from "./read-sound.ts";
import {
  countMessages,
  deleteMessage,
  findDefault,
  findMessage,
  insertMessage,
  isDropOn,
  type MessageRow,
  renameMessage,
  setDefault,
} from "./repository.ts";

interface MessagesContext {
  database: Database;
}

interface Own {
  userId: number;
  id: number;
}

/** The trimmed name. Errors: `invalid`. */
export function checkedName(sent: string): string {
  const name = sent.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  if (name === "") throw new AppError("invalid", "Give the message a name.");
  return name;
}

/** Checks that a user may have another message, and locks the user. Errors: `invalid`. */
export async function checkRoom(tx: Tx, userId: number): Promise<void> {
  await lockPerson(tx, userId);
  if ((await countMessages(tx, userId)) >= limits.voicemailMessagesMax)
    throw new AppError(
      "invalid",
      `There are ${limits.voicemailMessagesMax} messages already. Delete one first.`,
    );
}

async function publish(tx: Tx, { userId, id }: Own): Promise<void> {
  await publishEvent(tx, { topic: "voicemail-message", id, audience: [userId] });
}

/** Saves a message whose sound was read; returns its id. Errors: `invalid`. */
export async function saveMessage(
  tx: Tx,
  message: { userId: number; name: string; language: Language; sound: MessageSound },
): Promise<number> {
  await checkRoom(tx, message.userId);
  const id = await insertMessage(tx, message);
  await publish(tx, { userId: message.userId, id });
  return id;
}

async function requestedMessage(tx: Tx, own: Own): Promise<MessageRow> {
  const row = await findMessage(tx, own);
  if (!row) throw new AppError("not_found", "This message does not exist.");
  return row;
}

/** Saves an uploaded file as a message. Errors: see the contract's `uploadVoicemailMessage`. */
export async function uploadMessage(
  { database }: MessagesContext,
  { bytes, name, ...rest }: { userId: number; name: string; language: Language; bytes: unknown },
): Promise<MessageRow> {
  const kept = checkedName(name);
  const sound = await readSound(Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0));
  return database.transaction(async (tx) => {
    const id = await saveMessage(tx, { ...rest, name: kept, sound });
    return requestedMessage(tx, { userId: rest.userId, id });
  });
}

/** Renames a message, or makes it the default of its language. Errors: `invalid`, `not_found`. */
export function changeMessage(
  { database }: MessagesContext,
  own: Own,
  changes: { name?: string | undefined; isDefault?: true | undefined },
): Promise<MessageRow> {
  return database.transaction(async (tx) => {
    await lockPerson(tx, own.userId);
    const row = await requestedMessage(tx, own);
    if (changes.name !== undefined) await renameMessage(tx, own, checkedName(changes.name));
    if (changes.isDefault) await setDefault(tx, own.userId, row);
    await publish(tx, own);
    return requestedMessage(tx, own);
  });
}

/** Deletes a message. Errors: `not_found`. */
export function removeMessage({ database }: MessagesContext, own: Own): Promise<void> {
  return database.transaction(async (tx) => {
    await lockPerson(tx, own.userId);
    if (!(await deleteMessage(tx, own))) throw new AppError("not_found", "This message does not exist.");
    await publish(tx, own);
  });
}

/** Whether a message can be left: a voicemail answered and the call is not to end. Never after a person answered. */
export function mayLeave({ state, answeredBy, endRequestedAt }: CallRow): boolean {
  return state === "in_progress" && answeredBy === "machine" && endRequestedAt === null;
}

/** The default message for the lead of a call, in its language. */
export async function findMessageFor(
  db: Db,
  context: Pick<CallsContext, "noticeMarket">,
  { leadId, userId, leadNumber }: CallRow,
) {
  const known = await findLeadLanguage(db, leadId);
  const language = leadLanguage(context.noticeMarket, { language: known, number: leadNumber });
  return { language, message: await findDefault(db, { userId, language }) };
}

/** State of a call's message, or whether there is one to leave. */
export async function presentMessage(
  db: Db,
  context: Pick<CallsContext, "noticeMarket">,
  call: CallRow,
): Promise<Call["message"]> {
  const { messageName, messageAskedAt, messagePlayedAt, messageEndedAt } = call;
  if (messageAskedAt && messageName !== null)
    return {
      name: messageName,
      state: messagePlayedAt ? "left" : messageEndedAt ? "not_whole" : "leaving",
    };
  if (!mayLeave(call) || !(await isDropOn(db))) return null;
  const { message } = await findMessageFor(db, context, call);
  return message ? { name: message.name, state: "ready" } : null;
}
