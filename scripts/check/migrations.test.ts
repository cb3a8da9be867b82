import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../lib/environment.ts";

const folder = join(root, "apps/server/src/platform/db/migrations");
/** The rule applies to migrations after this one. */
const lastBefore = "0057_first_call";

/**
 * Migrations that remove something, each with the reason why the previous version no longer needs it. During a rolling upgrade both
 * versions use one database: one version adds (expand), and a later one removes what no running version uses (contract).
 */
const contracts: Record<string, string> = {
  "0059_dialer_today":
    "the index takes the place of one of its name and binds less: what the version before writes has no listed_at, and is bound as before",
};

const named = (text: string) => text.match(/"?(\w+)"?$/)?.[1] ?? text;
const identifier = String.raw`"?(?:public"?\.)?"?(\w+)"?`;

/** Statements of a migration that would break the previous version, as sentences. */
function breaksOf(migration: string): string[] {
  const statements = migration
    .replaceAll(/--(?!>).*$/gm, "")
    .split(/--> statement-breakpoint|;\s*$/m)
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim())
    .filter(Boolean);
  const made = new Set<string>();
  const added = new Set<string>();
  const found: string[] = [];
  for (const statement of statements) {
    const table = new RegExp(`^create table (?:if not exists )?${identifier}`, "i").exec(statement)?.[1];
    if (table) made.add(table);
    const altered = new RegExp(`^alter table (?:only )?(?:if exists )?${identifier} (.*)$`, "i").exec(
      statement,
    );
    const isOld = altered?.[1] !== undefined && !made.has(altered[1]);
    const change = altered?.[2] ?? "";
    const column = /\badd column (?:if not exists )?("?\w+"?)/i.exec(change)?.[1];
    if (column) added.add(`${altered?.[1]}.${named(column)}`);
    const where = altered ? `${altered[1]}: ` : "";
    const refuse = (why: string) => found.push(`${where}${why}`);

    if (/^drop (?:table|view|type|function|schema|extension|trigger)\b/i.test(statement))
      refuse(statement.split(" ").slice(0, 4).join(" "));
    if (/^alter type .* rename\b/i.test(statement)) refuse("a value or type is renamed");
    if (isOld && /\bdrop column\b/i.test(change)) refuse("a column is dropped");
    if (isOld && /^rename (?!constraint)/i.test(change)) refuse("a table or column is renamed");
    if (isOld && /\balter column .* (?:set data )?type\b/i.test(change)) refuse("a column gets another type");
    if (isOld && /\balter column .* drop default\b/i.test(change)) refuse("a default is dropped");
    if (isOld && /\bset not null\b/i.test(change)) refuse("a column may no longer be null");
    if (isOld && column && /\bnot null\b/i.test(change) && !/\bdefault\b|\bgenerated\b/i.test(change))
      refuse(`the new column ${named(column)} must be given, which the version before does not do`);
    const bound = /\badd constraint .*?(check|unique|foreign key|exclude|primary key) ?\(([^)]*)\)/i.exec(
      change,
    );
    const columns = (bound?.[2] ?? "").split(",").map((each) => named(each.trim()));
    const isNew = columns.every((each) => added.has(`${altered?.[1]}.${each}`));
    if (isOld && bound && !isNew)
      refuse(`a new ${bound[1]?.toLowerCase()} binds what the version before writes`);
    const unique = new RegExp(`^create unique index .* on ${identifier}.*?\\(([^)]*)\\)`, "i").exec(
      statement,
    );
    if (unique?.[1] && !made.has(unique[1])) {
      const keys = (unique[2] ?? "").split(",").map((each) => named(each.trim()));
      if (!keys.some((each) => added.has(`${unique[1]}.${each}`)))
        found.push(`${unique[1]}: a new unique index binds what the version before writes`);
    }
  }
  return found;
}

const journal: { entries: { tag: string }[] } = JSON.parse(
  readFileSync(join(folder, "meta/_journal.json"), "utf8"),
);
const tags = journal.entries.map(({ tag }) => tag);
const later = tags.slice(tags.indexOf(lastBefore) + 1);

it("no migration breaks the previous version", () => {
  expect(tags).toContain(lastBefore);
  const broken = later
    .filter((tag) => !(tag in contracts))
    .flatMap((tag) =>
      breaksOf(readFileSync(join(folder, `${tag}.sql`), "utf8")).map((why) => `${tag}: ${why}`),
    );
  expect(broken, "expand first, contract in a later version: docs/operations.md, Two versions").toEqual([]);
});

it("every contract step names a migration that removes something, with a reason", () => {
  for (const [tag, why] of Object.entries(contracts)) {
    expect(why.length).toBeGreaterThan(20);
    expect(breaksOf(readFileSync(join(folder, `${tag}.sql`), "utf8"))).not.toEqual([]);
  }
});

it.each([
  'DROP TABLE "calls";',
  'ALTER TABLE "leads" DROP COLUMN "email";',
  'ALTER TABLE "leads" RENAME COLUMN "email" TO "mail";',
  'ALTER TABLE "leads" RENAME TO "people";',
  'ALTER TABLE "leads" ALTER COLUMN "email" SET NOT NULL;',
  'ALTER TABLE "leads" ALTER COLUMN "score" SET DATA TYPE bigint;',
  'ALTER TABLE "leads" ALTER COLUMN "score" DROP DEFAULT;',
  'ALTER TABLE "leads" ADD COLUMN "score" integer NOT NULL;',
  'ALTER TABLE "leads" ADD CONSTRAINT "score_check" CHECK ("score" > 0);',
  'ALTER TABLE "leads" ADD CONSTRAINT "leads_email_key" UNIQUE("email");',
  'CREATE UNIQUE INDEX "leads_email_key" ON "leads" USING btree ("email");',
  'create table "x" ("id" int);--> statement-breakpoint\nDROP FUNCTION mark_leads();',
])("refuses %s", (statement) => {
  expect(breaksOf(statement)).toHaveLength(1);
});

it.each([
  'CREATE TABLE "x" ("id" serial PRIMARY KEY NOT NULL, "a" text NOT NULL);--> statement-breakpoint\nCREATE UNIQUE INDEX "x_a" ON "x" USING btree ("a");--> statement-breakpoint\nALTER TABLE "x" ADD CONSTRAINT "x_fk" FOREIGN KEY ("id") REFERENCES "public"."users"("id");',
  'ALTER TABLE "leads" ADD COLUMN "score" integer;',
  'ALTER TABLE "leads" ADD COLUMN "score" integer DEFAULT 0 NOT NULL;',
  'ALTER TABLE "leads" ADD COLUMN "maker" integer;--> statement-breakpoint\nALTER TABLE "leads" ADD CONSTRAINT "fk" FOREIGN KEY ("maker") REFERENCES "public"."users"("id");',
  'CREATE INDEX "leads_score" ON "leads" USING btree ("score");',
  'ALTER TABLE "leads" ALTER COLUMN "email" DROP NOT NULL;',
])("allows %s", (statement) => {
  expect(breaksOf(statement)).toEqual([]);
});
