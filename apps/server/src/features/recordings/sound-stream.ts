import { Readable } from "node:stream";
import type { ByteRange } from "./byte-range.ts";

/** Longest sound that is passed on: about seven hours of a phone call as MP3. */
export const maxBytes = 100 * 1024 * 1024;
/** A provider that sends nothing for so long is gone. A listener who reads slowly is no such silence. */
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
 * Passes a sound on as it arrives, or a range of it. Nothing is kept; the source is closed when the range is complete, when the
 * listener leaves and when it is silent or too long.
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
