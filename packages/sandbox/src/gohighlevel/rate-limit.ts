import type { FastifyReply } from "fastify";
import { ghlErrorBody } from "./errors.ts";

const BURST = 100;
const BURST_MS = 10_000;
const DAILY = 200_000;
const DAY_MS = 86_400_000;

/** The vendor's limits: 100 requests in 10 s and 200,000 a day; the interval shrinks with the sandbox's speed. */
export class RateLimit {
  enabled: boolean;
  readonly #speed: () => number;
  #recent: number[] = [];
  #today = 0;
  #dayStart = Date.now();

  constructor(enabled: boolean, speed: () => number) {
    this.enabled = enabled;
    this.#speed = speed;
  }

  /** Counts a request, sets the vendor's headers and responds with 429 above the limit. */
  check(reply: FastifyReply): FastifyReply | undefined {
    const now = Date.now();
    const interval = Math.ceil(BURST_MS / this.#speed());
    this.#recent = this.#recent.filter((time) => time > now - interval);
    if (now - this.#dayStart > DAY_MS) {
      this.#dayStart = now;
      this.#today = 0;
    }
    const refused = this.enabled && (this.#recent.length >= BURST || this.#today >= DAILY);
    if (!refused) {
      this.#recent.push(now);
      this.#today += 1;
    }
    reply.headers({
      "x-ratelimit-limit-daily": String(DAILY),
      "x-ratelimit-daily-remaining": String(Math.max(0, DAILY - this.#today)),
      "x-ratelimit-daily-reset": String(this.#dayStart + DAY_MS - now),
      "x-ratelimit-interval-milliseconds": String(interval),
      "x-ratelimit-max": String(BURST),
      "x-ratelimit-remaining": String(Math.max(0, BURST - this.#recent.length)),
    });
    return refused ? reply.code(429).send(ghlErrorBody(429, "Too Many Requests")) : undefined;
  }

  /** Sets the remaining number of requests for this day. */
  leave(requests: number): void {
    this.#today = DAILY - requests;
  }

  reset(): void {
    this.#recent = [];
    this.#today = 0;
  }
}
