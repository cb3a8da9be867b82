import { limits } from "@portal/contract/limits";
import type { soundFormats } from "@portal/contract/routes/voicemail-messages";
import { parseBuffer } from "music-metadata";
import { AppError } from "../../../platform/http/app-error.ts";

export type SoundFormat = (typeof soundFormats)[number];

export interface MessageSound {
  format: SoundFormat;
  /** Rounded up to whole seconds. */
  seconds: number;
  bytes: Buffer;
}

/** Content types. */
export const soundTypes: Record<SoundFormat, string> = { wav: "audio/wav", mp3: "audio/mpeg" };

/** WAV codecs that the provider plays: PCM and those of the telephone network (twilio.com/docs/voice/twiml/play). */
const wavCodecs = /^(?:PCM|.*(?:a-law|u-law|mu-law|µ-law).*)$/i;

const refused = (why: string) => new AppError("sound_invalid", why);
const unreadable = () => refused("This is not a WAV or MP3 file that can be played. Choose another one.");

/** The format by the first bytes; null for anything else. */
function formatOf(bytes: Buffer): SoundFormat | null {
  if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WAVE") return "wav";
  const isFrame = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2;
  return bytes.toString("latin1", 0, 3) === "ID3" || isFrame ? "mp3" : null;
}

/** Size of a WAV file's data chunk as declared, and the bytes present; null without a data chunk. */
function samplesOf(bytes: Buffer): { said: number; there: number } | null {
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    if (bytes.toString("latin1", at, at + 4) === "data") return { said: size, there: bytes.length - at - 8 };
    at += 8 + size + (size % 2);
  }
  return null;
}

async function secondsOf(bytes: Buffer, format: SoundFormat): Promise<number> {
  const samples = format === "wav" ? samplesOf(bytes) : null;
  if (format === "wav" && (!samples || samples.said > samples.there)) throw unreadable();
  const mimeType = soundTypes[format];
  const read = await parseBuffer(
    bytes,
    { mimeType, size: bytes.length },
    { duration: true, skipCovers: true },
  ).catch(() => {
    throw unreadable();
  });
  const { codec = "", duration = 0 } = read.format;
  const isPlayable = format === "wav" ? wavCodecs.test(codec) : /^MPEG \S+ Layer 3$/.test(codec);
  if (!isPlayable || !Number.isFinite(duration) || duration <= 0) throw unreadable();
  return duration;
}

/** Reads an uploaded or recorded message. Format and duration come from the content, not the file name. Errors: `sound_invalid`. */
export async function readSound(bytes: Buffer): Promise<MessageSound> {
  const format = formatOf(bytes);
  if (!format) throw unreadable();
  const seconds = await secondsOf(bytes, format);
  if (seconds > limits.voicemailMessageSeconds)
    throw refused(`A message takes at most ${limits.voicemailMessageSeconds} seconds. Choose a shorter one.`);
  if (seconds < 1) throw refused("There is less than a second to hear. Choose another file.");
  return { format, seconds: Math.ceil(seconds), bytes };
}
