import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Older Node releases warn on stderr that node:sqlite is experimental; the sandbox prints only one line. */
function loadSqlite(): typeof import("node:sqlite") {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Rows of one kind, in memory and written through to disk; iterated in the order of first insertion. */
export class Table<Row> {
  readonly #rows = new Map<string, Row>();
  readonly #write: StatementSync;
  readonly #remove: StatementSync;
  readonly #removeAll: StatementSync;

  constructor(database: DatabaseSync, kind: string) {
    database.exec(
      `CREATE TABLE IF NOT EXISTS "${kind}" (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, json TEXT NOT NULL)`,
    );
    this.#write = database.prepare(
      `INSERT INTO "${kind}" (id, json) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json`,
    );
    this.#remove = database.prepare(`DELETE FROM "${kind}" WHERE id = ?`);
    this.#removeAll = database.prepare(`DELETE FROM "${kind}"`);
    const saved = database.prepare(`SELECT id, json FROM "${kind}" ORDER BY seq`);
    for (const row of saved.iterate()) this.#rows.set(String(row.id), JSON.parse(String(row.json)) as Row);
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  values(): Row[] {
    return [...this.#rows.values()];
  }

  entries(): [string, Row][] {
    return [...this.#rows];
  }

  /** Saves the row; callers change the object that they got and set it again. */
  set(id: string, row: Row): void {
    this.#rows.set(id, row);
    this.#write.run(id, JSON.stringify(row));
  }

  delete(id: string): boolean {
    if (!this.#rows.delete(id)) return false;
    this.#remove.run(id);
    return true;
  }

  clear(): void {
    this.#rows.clear();
    this.#removeAll.run();
  }
}

/**
 * The sandbox's state on disk: one SQLite file that survives kill -9 of the process. Errors: a message with the folder's name if another
 * sandbox uses it.
 */
export class Store {
  readonly #database: DatabaseSync;
  readonly #tables = new Map<string, Table<unknown>>();
  #depth = 0;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    const { DatabaseSync } = loadSqlite();
    this.#database = new DatabaseSync(join(folder, "state.db"));
    try {
      this.#database.exec("PRAGMA busy_timeout = 3000; PRAGMA locking_mode = EXCLUSIVE;");
      this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;");
      this.#database.exec("BEGIN IMMEDIATE; COMMIT");
    } catch (error) {
      this.#database.close();
      if (error instanceof Error && /locked|busy/i.test(error.message)) {
        throw new Error(`the state folder ${folder} is in use by another sandbox`);
      }
      throw error;
    }
  }

  table<Row>(kind: string): Table<Row> {
    const known = this.#tables.get(kind);
    if (known) return known as Table<Row>;
    const table = new Table<Row>(this.#database, kind);
    this.#tables.set(kind, table as Table<unknown>);
    return table;
  }

  /** Runs `work` so that all its writes reach the disk together. Nested calls join the outer one. */
  transaction<Result>(work: () => Result): Result {
    if (this.#depth > 0) return work();
    this.#depth = 1;
    this.#database.exec("BEGIN");
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    } finally {
      this.#depth = 0;
    }
  }

  close(): void {
    this.#database.close();
  }
}
