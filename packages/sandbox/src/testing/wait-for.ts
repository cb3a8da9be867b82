import { setTimeout as sleep } from "node:timers/promises";

/** Waits until `check` returns something truthy. Errors: after 45 s, with the name of what was expected. */
export async function waitFor<Result>(
  what: string,
  check: () => Result | Promise<Result>,
): Promise<NonNullable<Result>> {
  const deadline = Date.now() + 45_000;
  for (;;) {
    const result = await check();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(10);
  }
}
