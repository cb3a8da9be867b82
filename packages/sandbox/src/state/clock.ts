import type { Store, Table } from "./store.ts";

interface ClockRow {
  speed: number;
  realBase: number;
  simulatedBase: number;
}

/**
 * Simulated time in milliseconds: `speed` times as fast as real time, never backwards, also across restarts. Phones ring, talk and are
 * billed in simulated time; timestamps in responses are real.
 */
export class Clock {
  readonly #rows: Table<ClockRow>;
  #row: ClockRow;

  constructor(store: Store, speed: number) {
    this.#rows = store.table<ClockRow>("clock");
    this.#row = this.#rows.get("clock") ?? { speed, realBase: Date.now(), simulatedBase: Date.now() };
    this.setSpeed(speed);
  }

  get speed(): number {
    return this.#row.speed;
  }

  now(): number {
    const elapsed = Math.max(0, Date.now() - this.#row.realBase);
    return this.#row.simulatedBase + elapsed * this.#row.speed;
  }

  /** Real milliseconds until the simulated time `due`. */
  realDelay(due: number): number {
    return Math.max(0, (due - this.now()) / this.#row.speed);
  }

  /** Advances the simulated time at once. */
  turn(ms: number): void {
    this.#row = { ...this.#row, simulatedBase: this.#row.simulatedBase + ms };
    this.#rows.set("clock", this.#row);
  }

  setSpeed(speed: number): void {
    this.#row = { speed, realBase: Date.now(), simulatedBase: this.now() };
    this.#rows.set("clock", this.#row);
  }
}
