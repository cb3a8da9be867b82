import { Readable } from "node:stream";
import { foldText } from "../../../domain/search-text.ts";
import type { Database } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import type { OutOfRange, ProviderSound } from "../../../ports/call-recordings.ts";
import type { Crm } from "../../../ports/crm.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { Telephony } from "../../../ports/telephony.ts";
import { findLeadRecording, findRecording } from "./repository.ts";

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

/** The response: status, headers, and the sound or null (416). */
export interface Sound {
  status: 200 | 206 | 416;
  headers: Record<string, string | number>;
  body: Readable | null;
}

const outOfRange = (total: number): Sound => ({
  status: 416,
  headers: { "accept-ranges": "bytes", "content-range": `bytes */${total}` },
  body: null,
});

function soundType(sound: ProviderSound, provider: string): string {
  const [contentType = ""] = sound.contentType.toLowerCase().split(";");
  if (/^audio\/[a-z0-9.+-]+$/.test(contentType.trim())) return contentType.trim();
  sound.body.destroy();
  throw new AppError("provider_unavailable", `${provider} sent something that is no sound.`);
}

/**
 * Builds the response for a provider's sound: the part that the provider sent, a part cut from the whole, or the whole. Errors:
 * `provider_unavailable` for content that is no sound or too long.
 */
function answerSound(
  sound: ProviderSound | OutOfRange,
  { range, provider }: { range: string | undefined; provider: string },
): Sound {
  if ("total" in sound) return outOfRange(sound.total);
  const { body, length, part } = sound;
  const headers = { "content-type": soundType(sound, provider) };
  if ((length ?? 0) > maxBytes) {
    body.destroy();
    throw new AppError("provider_unavailable", "This recording is too long to be played here.");
  }
  // Without a length no range can be named, and the whole sound is a valid response.
  if (!part && length === null) return { status: 200, headers, body: passOn(body, null) };

  const whole = part?.total ?? length ?? 0;
  const wanted = part ?? readRange(range, whole);
  if (wanted === "unsatisfiable") {
    body.destroy();
    return outOfRange(whole);
  }
  const ranged = { ...headers, "accept-ranges": "bytes" };
  if (!wanted) {
    const passed = passOn(body, { start: 0, end: whole - 1 });
    return { status: 200, headers: { ...ranged, "content-length": whole }, body: passed };
  }
  const { start, end } = wanted;
  return {
    status: 206,
    headers: {
      ...ranged,
      "content-range": `bytes ${start}-${end}/${whole}`,
      "content-length": end - start + 1,
    },
    // The provider's part begins at the requested byte already.
    body: passOn(body, part ? { start: 0, end: end - start } : wanted),
  };
}

/** Bytes from `start` to `end`, both inclusive. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * Parses a Range header for a body of `length` bytes (RFC 9110 §14). Null: send the whole body (no header, several ranges, another unit or
 * invalid syntax); 'unsatisfiable': send 416.
 */
export function readRange(header: string | undefined, length: number): ByteRange | "unsatisfiable" | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "");
  if (!match) return null;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return null;
  if (first === "") {
    const suffix = Number(last);
    if (suffix === 0 || length === 0) return "unsatisfiable";
    return { start: Math.max(0, length - suffix), end: length - 1 };
  }
  const start = Number(first);
  const end = last === "" ? length - 1 : Math.min(Number(last), length - 1);
  if (last !== "" && Number(last) < start) return null;
  return start < length ? { start, end } : "unsatisfiable";
}

/** Maximum size of a sound: about seven hours of a phone call as MP3. */
const maxBytes = 100 * 1024 * 1024;
/** A provider that sends nothing for this long counts as failed. A slow client does not count as silence. */
const silenceMs = 10_000;

async function nextChunk(chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the recording stopped arriving")), silenceMs);
  });
  try {
    return await Promise.race([chunks.next(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Streams a sound, or a range of it, as it arrives. Nothing is stored; the source is closed when the range is complete, when the client
 * disconnects, and when it is silent or too long.
 */
export function passOn(body: Readable, range: ByteRange | null): Readable {
  const { start, end } = range ?? { start: 0, end: maxBytes };
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let position = 0;

  async function pull(passed: Readable): Promise<void> {
    for (let pushed = false; !pushed; ) {
      const { done, value } = await nextChunk(chunks);
      if (done) return void passed.push(null);
      const from = Math.max(0, start - position);
      const to = Math.min(value.length, end + 1 - position);
      position += value.length;
      if (position > maxBytes) throw new Error("the recording is too long");
      pushed = from < to;
      if (pushed) passed.push(value.subarray(from, to));
      if (position > end) return void passed.push(null);
    }
  }

  // The source may fail before anybody reads; the reader gets that error, and without a listener it would end the process.
  body.on("error", () => undefined);
  return new Readable({
    read() {
      pull(this).catch((error: Error) => this.destroy(error));
    },
    destroy(error, done) {
      body.destroy();
      done(error);
    },
  });
}
