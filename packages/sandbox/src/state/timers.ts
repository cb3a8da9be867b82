import type { Clock } from "./clock.ts";
import type { Store, Table } from "./store.ts";

interface TimerRow {
  subject: string;
  kind: string;
  dueAt: number;
}

/**
 * Timers in simulated time that survive a restart: those that became due meanwhile fire at once, in order. The handler runs in one
 * transaction with the removal of its timer, so that no step is lost or repeated.
 */
export class Timers {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #rows: Table<TimerRow>;
  readonly #handles = new Map<string, NodeJS.Timeout>();
  readonly #onDue: (subject: string, kind: string) => void;
  #running = false;

  constructor(store: Store, clock: Clock, onDue: (subject: string, kind: string) => void, table = "timers") {
    this.#store = store;
    this.#clock = clock;
    this.#rows = store.table<TimerRow>(table);
    this.#onDue = onDue;
  }

  /** Fires once after `delayMs` of simulated time; replaces an earlier timer of that kind. */
  set(subject: string, kind: string, delayMs: number): void {
    this.clear(subject, kind);
    const row = { subject, kind, dueAt: this.#clock.now() + delayMs };
    this.#rows.set(`${subject}/${kind}`, row);
    if (this.#running) this.#arm(row);
  }

  clear(subject: string, kind: string): void {
    const id = `${subject}/${kind}`;
    clearTimeout(this.#handles.get(id));
    this.#handles.delete(id);
    this.#rows.delete(id);
  }

  clearAll(subject: string): void {
    for (const row of this.#rows.values()) if (row.subject === subject) this.clear(subject, row.kind);
  }

  /** Removes every timer, armed or saved. */
  forgetAll(): void {
    for (const handle of this.#handles.values()) clearTimeout(handle);
    this.#handles.clear();
    this.#rows.clear();
  }

  /** Arms every saved timer; called at start and after a change of speed. */
  start(): void {
    this.stop();
    this.#running = true;
    for (const row of this.#rows.values().sort((a, b) => a.dueAt - b.dueAt)) this.#arm(row);
  }

  stop(): void {
    this.#running = false;
    for (const handle of this.#handles.values()) clearTimeout(handle);
    this.#handles.clear();
  }

  #arm(row: TimerRow): void {
    const id = `${row.subject}/${row.kind}`;
    const handle = setTimeout(() => {
      this.#handles.delete(id);
      this.#store.transaction(() => {
        this.#rows.delete(id);
        this.#onDue(row.subject, row.kind);
      });
    }, this.#clock.realDelay(row.dueAt));
    this.#handles.set(id, handle);
  }
}
