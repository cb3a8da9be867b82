import type { Readable } from "node:stream";
import type { Database } from "../../db/client.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import type { Crm } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { readRange } from "./byte-range.ts";
import { findLeadRecording } from "./data.ts";
import { passOn } from "./sound-stream.ts";

export interface RecordingsContext {
  database: Database;
  /** Null where no key is set. */
  crm: Crm | null;
}

/** What to answer: status, headers, and the sound or nothing (416). */
export interface Sound {
  status: 200 | 206 | 416;
  headers: Record<string, string | number>;
  body: Readable | null;
}

const noRecording = () => new AppError("no_recording", "There is no recording for this lead.");

async function openSound(crm: Crm, messageId: string, signal: AbortSignal) {
  const sound = await crm.openRecording(messageId, { signal }).catch((error: unknown) => {
    if (error instanceof ProviderError && error.kind === "not-found") throw noRecording();
    throw error;
  });
  const [contentType = ""] = sound.contentType.toLowerCase().split(";");
  if (/^audio\/[a-z0-9.+-]+$/.test(contentType.trim())) return { ...sound, contentType: contentType.trim() };
  sound.body.destroy();
  throw new AppError("provider_unavailable", "GoHighLevel sent something that is no sound.");
}

/**
 * The AI agent's call with a lead, whole or a range of it. The assignee and administrators may listen.
 * `signal` ends the request to the CRM. Errors: `not_found`, `not_your_lead`, `no_recording`, `provider_off`, `provider_unavailable`.
 */
export async function openAiRecording(
  context: RecordingsContext,
  input: { actor: Session; leadId: number; range: string | undefined; signal: AbortSignal },
): Promise<Sound> {
  const { actor, leadId, range, signal } = input;
  const lead = await findLeadRecording(context.database.db, leadId);
  if (!lead) throw new AppError("not_found");
  if (actor.role !== "admin" && lead.assignedTo !== actor.userId) throw new AppError("not_your_lead");
  if (!lead.messageId) throw noRecording();
  if (!context.crm) throw new AppError("provider_off", "GoHighLevel is not configured.");

  const { body, length, contentType } = await openSound(context.crm, lead.messageId, signal);
  const headers = { "content-type": contentType };
  // Without its length no range can be named: the whole sound is a right answer then.
  if (length === null) return { status: 200, headers, body: passOn(body, null) };
  const ranged = { ...headers, "accept-ranges": "bytes" };
  const wanted = readRange(range, length);
  if (wanted === "unsatisfiable") {
    body.destroy();
    return { status: 416, headers: { ...ranged, "content-range": `bytes */${length}` }, body: null };
  }
  if (!wanted) {
    const whole = passOn(body, { start: 0, end: length - 1 });
    return { status: 200, headers: { ...ranged, "content-length": length }, body: whole };
  }
  const { start, end } = wanted;
  return {
    status: 206,
    headers: {
      ...ranged,
      "content-range": `bytes ${start}-${end}/${length}`,
      "content-length": end - start + 1,
    },
    body: passOn(body, wanted),
  };
}
