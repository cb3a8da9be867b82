import type { Readable } from "node:stream";
import { AppError } from "../../http/app-error.ts";
import type { OutOfRange, ProviderSound } from "../../ports/call-recordings.ts";
import { readRange } from "./byte-range.ts";
import { maxBytes, passOn } from "./sound-stream.ts";

/** What to answer: status, headers, and the sound or nothing (416). */
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
 * A provider's sound as a browser is answered: the part that the provider sent, or a part cut out of the whole, or the whole.
 * Errors: `provider_unavailable` for what is no sound or too long.
 */
export function answerSound(
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
  // Without its length no range can be named: the whole sound is a right answer then.
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
    // A part of the provider's begins where it was asked to.
    body: passOn(body, part ? { start: 0, end: end - start } : wanted),
  };
}
