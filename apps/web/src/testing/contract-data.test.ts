import { parseSync } from "vite";
import { describe, expect, it } from "vitest";

type Node = Record<string, unknown> & { type: string };

const SCHEMA_METHODS = ["safeParse", "safeParseAsync", "parseAsync", "parse"];
/** Objects with a `parse` that are not schemas. */
const OTHER_PARSERS = ["JSON", "Date", "Papa"];

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

/** Calls of a schema's methods in a source. */
function schemaCalls(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed`);
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isNode(value)) return;
    if (value.type === "MemberExpression") {
      const method = String((value.property as Node).name);
      const owner = String((value.object as Node).name);
      if (SCHEMA_METHODS.includes(method) && !OTHER_PARSERS.includes(owner)) found.push(method);
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(program);
  return found;
}

/**
 * The build keeps only the data of the contract (vite.config.ts): a schema is undefined in the browser, although types and these tests have
 * it. The Convert button once called `route.body?.safeParse` and did nothing, only in the built product.
 */
describe("schemas of the contract", () => {
  it.each([
    "convertLead.body?.safeParse(value)",
    "route.response.parse(value)",
    "leadSchema.safeParse(value)",
    "await body.parseAsync(value)",
  ])("are found in %s", (source) => {
    expect(schemaCalls("sample.ts", source)).toHaveLength(1);
  });

  it("are not mistaken for JSON.parse and Date.parse", () => {
    expect(schemaCalls("sample.ts", "JSON.parse(text); Date.parse(text);")).toEqual([]);
  });

  it("are not evaluated in browser code", () => {
    const sources = import.meta.glob<string>(
      ["../**/*.ts", "../**/*.tsx", "!../testing/**", "!../**/*.test.*"],
      {
        eager: true,
        query: "?raw",
        import: "default",
      },
    );
    expect(Object.keys(sources).length).toBeGreaterThan(80);
    const findings = Object.entries(sources).flatMap(([file, source]) =>
      schemaCalls(file, source).map((method) => `${file}: ${method}`),
    );
    expect(findings).toEqual([]);
  });
});
