/** Names under which exports put their list. */
const listNames = ["leads", "contacts", "data", "records", "results", "items", "rows"];

function parseLines(text: string): unknown[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < 2) return null;
  try {
    const records = lines.map((line) => JSON.parse(line) as unknown);
    return records.every((record) => typeof record === "object" && record !== null) ? records : null;
  } catch {
    return null;
  }
}

function listOf(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return null;
  for (const name of listNames) {
    const inner = (value as Record<string, unknown>)[name];
    if (Array.isArray(inner)) return inner;
  }
  return [value];
}

/** Leads as JSON: an array, a single object, an export's `{ "contacts": [...] }`, or an object a line. Null where it is none of these. */
export function readJson(typed: string): unknown[] | null {
  const text = typed.replace(/^\ufeff/, "");
  try {
    return listOf(JSON.parse(text));
  } catch {
    return parseLines(text);
  }
}

/** The names of the fields that records have, in the order of their coming. */
export function keysOf(records: unknown[], looked = 1_000): string[] {
  const keys = new Set<string>();
  for (const record of records.slice(0, looked))
    if (typeof record === "object" && record !== null && !Array.isArray(record))
      for (const key of Object.keys(record)) keys.add(key);
  return [...keys];
}
