/** The parts of an OpenAPI 3 document that the page reads. */
interface Schema {
  type?: string;
  format?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  example?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  nullable?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

type Content = Record<string, { schema?: Schema } | undefined>;

interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content?: Content };
  responses?: Record<string, { content?: Content } | undefined>;
}

export interface ApiDocument {
  servers?: { url: string }[];
  paths: Record<string, Record<string, unknown>>;
}

/** A parameter or a field, with its path: `details.failed[]`. */
export interface Field {
  name: string;
  type: string;
  required: boolean;
  note: string;
}

/** Who may call an endpoint: anyone, a user with a session, or a sender with a source's key. */
export type EndpointAccess = "public" | "session" | "key";

export interface Endpoint {
  id: string;
  method: string;
  path: string;
  area: string;
  summary: string;
  description: string;
  access: EndpointAccess;
  parameters: (Field & { place: string })[];
  body: Field[];
  answer: Field[];
  /** An example body; undefined without a body. */
  sample: unknown;
}

const depthMax = 4;
/** Maximum number of enumerated values shown. */
const valuesShown = 8;

/** Resolves alternatives to the first schema that is not null. */
function meant(schema: Schema): Schema {
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  const chosen = choices?.find(({ type }) => type !== "null") ?? choices?.[0];
  return chosen
    ? { ...meant(chosen), ...(schema.description && { description: schema.description }) }
    : schema;
}

function typeOf(schema: Schema): string {
  const of = meant(schema);
  const none = schema.nullable || of.nullable ? " | null" : "";
  if (of.enum) {
    const values = of.enum.slice(0, valuesShown).map((value) => JSON.stringify(value));
    return [...values, ...(of.enum.length > valuesShown ? ["…"] : [])].join(" | ") + none;
  }
  if (of.type === "array") return `${of.items ? typeOf(of.items) : "any"}[]${none}`;
  return (of.format && of.type === "string" ? of.format : (of.type ?? "any")) + none;
}

function noteOf(schema: Schema): string {
  const { description, minimum, maximum, maxLength, default: preset } = meant(schema);
  const range = [minimum, maximum].some((bound) => bound !== undefined && Math.abs(bound) < 2 ** 53 - 1);
  return [
    description,
    range ? `${minimum ?? ""}…${maximum ?? ""}` : "",
    maxLength === undefined ? "" : `≤ ${maxLength}`,
    preset === undefined ? "" : `= ${JSON.stringify(preset)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The fields of an object, followed by those of nested objects, with their paths. */
export function fieldsOf(schema: Schema | undefined, prefix = "", depth = 0): Field[] {
  if (!schema || depth > depthMax) return [];
  const of = meant(schema);
  if (of.type === "array") return fieldsOf(of.items, `${prefix}[]`, depth + 1);
  return Object.entries(of.properties ?? {}).flatMap(([name, field]) => {
    const place = prefix ? `${prefix}.${name}` : name;
    const known = { name: place, type: typeOf(field), required: of.required?.includes(name) ?? false };
    return [{ ...known, note: noteOf(field) }, ...fieldsOf(field, place, depth + 1)];
  });
}

const samples: Record<string, unknown> = {
  "date-time": "2026-11-20T15:00:00.000Z",
  uuid: "5f0c1f4e-8a53-4a0e-9a54-0d6a2f1f7b11",
  email: "ines@example.com",
  uri: "https://example.com",
};

/** An example value for a schema: its example, its default, or one of its type. Objects get their required fields. */
export function sampleOf(schema: Schema | undefined): unknown {
  if (!schema) return {};
  if (schema.example !== undefined) return schema.example;
  const of = meant(schema);
  if (of.example !== undefined) return of.example;
  if (of.default !== undefined) return of.default;
  if (of.enum) return of.enum[0];
  if (of.type === "array") return of.items ? [sampleOf(of.items)] : [];
  if (of.type === "number" || of.type === "integer") return Math.max(1, of.minimum ?? 1);
  if (of.type === "boolean") return true;
  if (of.type === "string") return (of.format && samples[of.format]) ?? "text";
  const needed = Object.entries(of.properties ?? {}).filter(
    ([name], _, all) => of.required?.includes(name) || all.length === 1,
  );
  return Object.fromEntries(needed.map(([name, field]) => [name, sampleOf(field)]));
}

function contentOf(content: Content | undefined): Schema | undefined {
  return Object.values(content ?? {})[0]?.schema;
}

function accessOf(security: Record<string, unknown>[] = []): EndpointAccess {
  if (security.some((way) => "key" in way)) return "key";
  return security.length > 0 ? "session" : "public";
}

/** All endpoints of the document, in order. */
export function endpointsOf({ paths }: ApiDocument): Endpoint[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations as Record<string, Operation>).map(([method, operation]) => {
      const body = contentOf(operation.requestBody?.content);
      return {
        id: `${method} ${path}`,
        method: method.toUpperCase(),
        path,
        area: operation.tags?.[0] ?? "",
        summary: operation.summary ?? "",
        description: operation.description ?? "",
        access: accessOf(operation.security),
        parameters: (operation.parameters ?? []).map(
          ({ name, in: place, required = false, schema = {} }) => ({
            name,
            place,
            required,
            type: typeOf(schema),
            note: noteOf(schema),
          }),
        ),
        body: fieldsOf(body),
        answer: fieldsOf(contentOf(operation.responses?.["200"]?.content)),
        sample: operation.requestBody ? sampleOf(body) : undefined,
      };
    }),
  );
}

/** Endpoints whose method, path, area or summary contain all words. */
export function searchEndpoints(endpoints: readonly Endpoint[], typed: string): Endpoint[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return endpoints.filter(({ method, path, area, summary }) => {
    const text = `${method} ${path} ${area} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** An example request as a curl command. `secured`: the source requires its key. */
export function curlOf(
  endpoint: Endpoint,
  { baseUrl, secured }: { baseUrl: string; secured: boolean },
): string {
  const { method, path, access, sample } = endpoint;
  const address = `${baseUrl}${path.replace(/\{(\w+)\}/g, (_, name: string) => (/id$/i.test(name) ? "1" : `<${name}>`))}`;
  const parts = [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${address}'`,
    ...(access === "key" && secured ? ["-H 'X-Api-Key: <key>'"] : []),
    ...(access === "session" ? ["-b cookies.txt"] : []),
    ...(sample === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(sample, null, 2).replaceAll("'", "'\\''")}'`,
        ]),
  ];
  return parts.join(" \\\n  ");
}
