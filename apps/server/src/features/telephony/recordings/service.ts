import { foldText } from "../../../domain/search-text.ts";
import type { Database } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import type { Crm } from "../../../ports/crm.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { Telephony } from "../../../ports/telephony.ts";
import { findLeadRecording, findRecording } from "./repository.ts";
import { answerSound, type Sound } from "./stream-sound.ts";

export interface RecordingsContext {
  database: Database;
  /** Null without a CRM configuration. */
  crm: Crm | null;
  telephony: Telephony | null;
  orgTimeZone: string;
}

interface Listener {
  actor: AuthSession;
  range: string | undefined;
  /** Aborted when the client disconnects; ends the request to the provider. */
  signal: AbortSignal;
}

async function found<T>(request: Promise<T>, message: string): Promise<T> {
  return request.catch((error: unknown) => {
    if (error instanceof ProviderError && error.kind === "not-found")
      throw new AppError("no_recording", message);
    throw error;
  });
}

/**
 * Opens the AI agent's call with a lead, whole or a range. The assignee and administrators may listen. Errors: `not_found`,
 * `not_your_lead`, `no_recording`, `provider_off`, `provider_unavailable`.
 */
export async function openAiRecording(
  context: RecordingsContext,
  { actor, leadId, range, signal }: Listener & { leadId: number },
): Promise<Sound> {
  const none = "There is no recording for this lead.";
  const lead = await findLeadRecording(context.database.db, leadId);
  if (!lead) throw new AppError("not_found");
  if (actor.role !== "admin" && lead.assignedTo !== actor.userId) throw new AppError("not_your_lead");
  if (!lead.messageId) throw new AppError("no_recording", none);
  if (!context.crm) throw new AppError("provider_off", "GoHighLevel is not configured.");
  const sound = await found(context.crm.openRecording(lead.messageId, { signal }), none);
  return answerSound(sound, { range, provider: "GoHighLevel" });
}

/**
 * Opens a recording of the telephony provider. The user on the call, the lead's assignee and administrators may listen; `download` adds a
 * file name. Errors: `no_recording`, `not_your_lead`, `provider_off`, `provider_unavailable`.
 */
export async function openCallRecording(
  context: RecordingsContext,
  input: Listener & { recordingSid: string; download: boolean },
): Promise<Sound> {
  const { actor, recordingSid, range, signal } = input;
  const none = "This recording does not exist.";
  const recording = await findRecording(context.database.db, { recordingSid, actor });
  if (!recording) throw new AppError("no_recording", none);
  if (!recording.mayListen) throw new AppError("not_your_lead", "This recording is another consultant's.");
  if (recording.status === "absent" || recording.status === "deleted")
    throw new AppError("no_recording", none);
  if (!context.telephony) throw new AppError("provider_off", "No telephony provider is configured.");
  // Only simple ranges, which all servers interpret alike, are passed on.
  const asked = range && /^bytes=(\d{1,15}-\d{0,15}|-\d{1,15})$/.test(range) ? range : null;
  const opened = await found(context.telephony.openRecording(recordingSid, { range: asked, signal }), none);
  const sound = answerSound(opened, { range, provider: "The telephony provider" });
  if (input.download && sound.body) {
    const name = downloadName(
      { ...recording, timeZone: context.orgTimeZone },
      String(sound.headers["content-type"]),
    );
    sound.headers["content-disposition"] = `attachment; filename="${name}"`;
  }
  return sound;
}

const extensions: Record<string, string> = {
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
};

/**
 * A descriptive file name, for example call-2026-11-20-maria-garcia.mp3: the day in the organization's zone, and only letters, digits and
 * dashes, so that it needs no encoding.
 */
function downloadName(
  recording: { kind: "call" | "voicemail"; createdAt: Date; leadName: string | null; timeZone: string },
  contentType: string,
): string {
  const day = new Intl.DateTimeFormat("en-CA", {
    timeZone: recording.timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).format(recording.createdAt);
  const name = foldText(recording.leadName ?? "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return `${[recording.kind, day, name].filter(Boolean).join("-")}.${extensions[contentType] ?? "mp3"}`;
}
