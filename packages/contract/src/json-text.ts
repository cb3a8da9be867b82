/** `JSON.stringify` without recursion, for values nested tens of thousands of levels deep. */
function writeDeep(root: unknown): string {
  const written: string[] = [];
  const waiting: ({ text: string } | { value: unknown })[] = [{ value: root }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if ("text" in next) {
      written.push(next.text);
      continue;
    }
    const { value } = next;
    if (typeof value !== "object" || value === null) {
      written.push(JSON.stringify(value) ?? "null");
      continue;
    }
    const isList = Array.isArray(value);
    written.push(isList ? "[" : "{");
    waiting.push({ text: isList ? "]" : "}" });
    const entries = Object.entries(value);
    for (let index = entries.length - 1; index >= 0; index -= 1) {
      const [key, inner] = entries[index] as [string, unknown];
      waiting.push({ value: inner });
      waiting.push({ text: `${index > 0 ? "," : ""}${isList ? "" : `${JSON.stringify(key)}:`}` });
    }
  }
  return written.join("");
}

/** Serializes a parsed JSON value of any depth; `JSON.stringify` fails beyond a few thousand levels. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return writeDeep(value);
  }
}
