import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../lib/environment.ts";

const server = "apps/server/src/";
/** The one folder that may make SQL out of text: the fragments that others name come from there. */
const database = `${server}platform/db/`;

/** A statement, or a part of one, in a template of text that something is put into, instead of in drizzle's `sql`. */
const putTogether =
  /(?<!sql(?:<[^`]*>)?)`\s*\(?\s*(?:select|insert into|update \w+|delete from|with \w+|copy|set local|exists|not exists|case when)\b[^`]*?\$\{/g;

/**
 * Statements that are still put together from text, by feature. A number only goes down: new ones are written with `sql` of drizzle, whose
 * interpolations are values or other fragments, and run by `execute`, or by the driver with parameters.
 */
const stillThere: Record<string, number> = {
  activity: 4,
  admin: 16,
  clients: 3,
  "contact-policy": 1,
  crm: 3,
  diagnostics: 2,
  dialer: 6,
  identity: 2,
  imports: 4,
  "lead-webhooks": 5,
  leads: 20,
  meetings: 6,
  metrics: 16,
  sms: 10,
  team: 1,
  telephony: 27,
};

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

it("no new statement is put together from text", () => {
  const found: Record<string, number> = {};
  for (const { file, text } of sources) {
    const place = /src\/features\/([^/]+)\//.exec(file)?.[1] ?? file;
    const count = text.match(putTogether)?.length ?? 0;
    if (count > 0) found[place] = (found[place] ?? 0) + count;
  }
  expect(sources.length).toBeGreaterThan(200);
  const more = Object.entries(found).filter(([place, count]) => count > (stillThere[place] ?? 0));
  expect(more).toEqual([]);
});

it("text is made into SQL, and advisory locks are taken, in the database's folder only", () => {
  const wrong = sources
    .filter(({ text }) => /\bsql\.raw\(|pg_(?:try_)?advisory/.test(text))
    .map(({ file }) => file);
  // A fragment of text that the ingestion still has; nothing else is added here.
  expect(wrong).toEqual([`${server}features/leads/ingest/ingest-leads.ts`]);
});
