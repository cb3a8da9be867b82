import { readFileSync } from "node:fs";

/**
 * Steps this process's clock, as an administrator or a time server does: `Date` is the machine's time plus the milliseconds in the file
 * CLOCK_FILE. Timers and `performance.now()` are not affected, as with a real clock. Loaded with `--import`.
 */
const { CLOCK_FILE: file } = process.env;
const Real = Date;
let offset = 0;

function look() {
  try {
    offset = Number(readFileSync(file, "utf8")) || 0;
  } catch {
    offset = 0;
  }
}

if (file) {
  look();
  setInterval(look, 20).unref();
  const now = () => Real.now() + offset;
  globalThis.Date = new Proxy(Real, {
    apply: () => new Real(now()).toString(),
    construct: (_target, args, as) =>
      Reflect.construct(Real, args.length === 0 ? [now()] : args, as === globalThis.Date ? Real : as),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
}
