import type { WebhookWay } from "./webhook-client.ts";

/** Duration of a sound in milliseconds, or the error as shown in the vendor's debugger. */
export type FetchedSound = { ms: number } | { error: string };

const TYPES = /^audio\/(mpeg|wav|wave|x-wav|aiff|x-aiff|x-aifc|x-gsm|gsm|ulaw)\b/i;
const TOTAL_MS = 15_000;
/** Duration of a sound whose first bytes do not contain it. */
const USUAL_MS = 3_000;
/** kbit/s by the four bits of the frame header: MPEG 1 and MPEG 2 layer III. */
const BIT_RATES = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** Downloads the sound of a `<Play>`: a plain GET without credentials or signature. Throws nothing. */
export async function fetchSound(
  url: string,
  { outage }: WebhookWay,
  signal: AbortSignal,
): Promise<FetchedSound> {
  const lost = outage.take(url);
  if (lost) return { error: `11200 HTTP retrieval failure: ${lost.status ?? "connection refused"}` };
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(TOTAL_MS)]) });
    if (!answer.ok) return { error: `11200 HTTP retrieval failure: ${answer.status}` };
    const type = answer.headers.get("content-type") ?? "";
    if (!TYPES.test(type)) return { error: `12300 Invalid Content-Type: ${type}` };
    return { ms: soundMs(Buffer.from(await answer.arrayBuffer())) };
  } catch (error) {
    return { error: `11200 HTTP retrieval failure: ${error instanceof Error ? error.message : "no answer"}` };
  }
}

/** The duration of a WAV file from its header, of an MP3 file from the bit rate of its first frame. */
export function soundMs(bytes: Buffer): number {
  if (bytes.toString("latin1", 0, 4) === "RIFF") return wavMs(bytes);
  const tag = bytes.toString("latin1", 0, 3) === "ID3" ? 10 + tagLength(bytes) : 0;
  for (let at = tag; at + 2 < bytes.length; at += 1) {
    const version = bytes.readUInt8(at + 1) & 0x18;
    if (bytes.readUInt8(at) !== 0xff || (bytes.readUInt8(at + 1) & 0xe6) !== 0xe2) continue;
    const rate = BIT_RATES[version === 0x18 ? 1 : 2][bytes.readUInt8(at + 2) >> 4];
    if (rate) return ((bytes.length - at) * 8) / rate;
  }
  return USUAL_MS;
}

function wavMs(bytes: Buffer): number {
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const chunk = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (chunk === "fmt " && at + 20 <= bytes.length) bytesPerSecond = bytes.readUInt32LE(at + 16);
    if (chunk === "data" && bytesPerSecond > 0) {
      return (Math.min(length, bytes.length - at - 8) / bytesPerSecond) * 1_000;
    }
    at += 8 + length + (length % 2);
  }
  return USUAL_MS;
}

/** The length of an ID3 tag is stored in four bytes of seven bits each. */
function tagLength(bytes: Buffer): number {
  return [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (bytes[at] ?? 0), 0);
}
