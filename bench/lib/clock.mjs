import { readFileSync } from "node:fs";

/**
 * Steps this process's clock, as an administrator or a time server does: `Date` is what the machine says and the milliseconds that the file
 * CLOCK_FILE holds. Timers and `performance.now()` go on as they do when a real clock is stepped. Loaded with `--import`.
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
