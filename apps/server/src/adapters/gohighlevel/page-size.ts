import type { PageRequest } from "./client.ts";
import { TimeoutError, TooLargeError } from "./errors.ts";

/** The vendor's largest page first; where one does not come in time the next size is asked for. */
const sizes = [500, 200, 100] as const;
/** A page that is too large is read by still fewer records. */
const smaller = [...sizes, 10, 1] as const;
const smallest = sizes.length - 1;

/**
 * Reads pages as large as the account answers in time: what was learnt holds until a reading of all begins again. What is too large is so
 * of its records: the next page begins with the usual size.
 */
export function createPageSize() {
  let step = 0;

  return async function readPage<Page>(
    ask: (page: PageRequest) => Promise<Page>,
    { begins, most = sizes[0] }: { begins: boolean; most?: number },
  ): Promise<Page> {
    if (begins) step = 0;
    for (let tried = step; ; tried += 1) {
      const limit = Math.min(most, smaller[tried] ?? 1);
      try {
        return await ask({ limit, mayShrink: tried < smallest });
      } catch (error) {
        if (error instanceof TooLargeError && limit > 1) {
          tried = smaller.findLastIndex((size) => size >= limit);
          continue;
        }
        if (!(error instanceof TimeoutError) || tried >= smallest) throw error;
        step = Math.max(step, tried + 1);
      }
    }
  };
}
