import { cut, type Fields, isObject } from "./parse-values.ts";

const fieldsMax = 200;
const depthMax = 4;
const valueMax = 5_000;

/** Objects that only wrap a lead's own fields. */
const wrappers = new Set([
  "attributes",
  "body",
  "contact",
  "contactdata",
  "customdata",
  "customer",
  "customfields",
  "data",
  "fields",
  "form",
  "formdata",
  "lead",
  "payload",
  "person",
  "properties",
  "record",
  "sobject",
  "values",
]);

const folded = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

function scalar(value: unknown): string | number | boolean | null {
  if (typeof value === "string") return cut(value, valueMax);
  return typeof value === "number" || typeof value === "boolean" ? value : null;
}

/** Several values of one field: the primary one where they are marked, else those that are plain, in a row. */
function ofList(list: unknown[]): string | number | boolean | null {
  const marked = list.filter(isObject);
  if (marked.length > 0) {
    const first = marked.find(({ primary }) => primary === true) ?? marked[0];
    return scalar(first?.value);
  }
  const plain = list.map(scalar).filter((value) => value !== null && value !== "");
  return plain.length === 0 ? null : cut(plain.join(", "), valueMax);
}

/** `{ value }` and `{ label, value }`, as some senders write a single value. */
function valueInside(value: Fields): string | number | boolean | null | undefined {
  return "value" in value && !isObject(value.value) ? scalar(value.value) : undefined;
}

/**
 * The plain fields of a payload: those of objects that only wrap a lead stand beside the others, deeper ones get a name like
 * `address.city`; the outermost of a name holds. Bounded in number, depth and length.
 */
export function payloadFields(payload: Fields): Fields {
  const found = new Map<string, string | number | boolean>();
  const wrapped: { fields: Fields; depth: number }[] = [];

  function add(fields: Fields, prefix: string, depth: number): void {
    for (const [name, value] of Object.entries(fields)) {
      if (found.size >= fieldsMax) return;
      const key = cut(`${prefix}${name}`, 100);
      const single = isObject(value)
        ? valueInside(value)
        : Array.isArray(value)
          ? ofList(value)
          : scalar(value);
      if (single === undefined && isObject(value)) {
        if (depth >= depthMax) continue;
        if (wrappers.has(folded(name))) wrapped.push({ fields: value, depth: depth + 1 });
        else add(value, `${key}.`, depth + 1);
      } else if (single !== null && single !== undefined && single !== "" && !found.has(key)) {
        found.set(key, single);
      }
    }
  }

  add(payload, "", 0);
  for (let next = wrapped.shift(); next; next = wrapped.shift()) add(next.fields, "", next.depth);
  return Object.fromEntries(found);
}
