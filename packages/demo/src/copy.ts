import type { Tx } from "../../../apps/server/src/platform/db/client.ts";
import { copyRows } from "../../../apps/server/src/platform/db/copy.ts";

export type Columns<Row> = Record<string, (row: Row) => unknown>;

/** Copies tables in order: prepares the rows of one while the database still writes the previous one. */
export class TableWriter {
  readonly tx: Tx;
  #previous: Promise<void> = Promise.resolve();

  constructor(tx: Tx) {
    this.tx = tx;
  }

  /** Copies rows into a table, with a value for each column. Resolves when they have been sent. */
  async copy<Row>(table: string, rows: Row[], columns: Columns<Row>): Promise<void> {
    const values = Object.values(columns);
    const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
    const copied = copyRows(
      this.tx,
      { table, columns: Object.keys(columns) },
      {
        rows,
        values: (row) => values.map((value) => value(row)),
        onSent,
      },
    );
    const previous = this.#previous;
    this.#previous = copied;
    // Its error is thrown by the next call, or by `finish`.
    copied.catch(() => undefined);
    await previous;
    await Promise.race([sent, copied]);
  }

  /** Resolves when all rows are written. */
  finish(): Promise<void> {
    return this.#previous;
  }
}
