import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../lib/environment.ts";

const server = "apps/server/src/";
/** The only folder that may create SQL from text, and from which other code gets fragments. */
const database = `${server}platform/db/`;

/** A statement, or a part of one, in a template string with values instead of in `sql`. */
const putTogether =
  /(?<!sql(?:<[^`]*>)?)`\s*\(?\s*(?:select|insert into|update \w+|delete from|with \w+|copy|set local|exists|not exists|case when)\b[^`]*?\$\{/;

const sources = execFileSync("git", ["ls-files", "-co", "--exclude-standard", server], { cwd: root })
  .toString()
  .split("\n")
  .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|\/testing\//.test(file) && !file.startsWith(database))
  .flatMap((file) => {
    try {
      return [{ file, text: readFileSync(join(root, file), "utf8") }];
    } catch {
      // Deleted, and not committed yet.
      return [];
    }
  });

const those = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

it("no SQL statement is concatenated from text", () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(those(putTogether)).toEqual([]);
});

it("only the database folder runs statements and uses the tag that accepts no text", () => {
  // pg-boss passes texts with their values.
  expect(those(/(?:\$client|\bpool)\.query[<(]|\.execute\(sql/)).toEqual([`${server}platform/jobs/jobs.ts`]);
  expect(those(/import \{[^}]*\bsql\b[^}]*\} from "drizzle-orm"/)).toEqual([]);
});

it("only the database folder turns text into SQL and takes advisory locks", () => {
  expect(those(/\bsql\.raw\(|pg_(?:try_)?advisory/)).toEqual([]);
});
