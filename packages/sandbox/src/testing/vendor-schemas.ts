import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { OWN_SHAPES } from "./own-shapes.ts";

type Json = Record<string, unknown>;

/** Folder with the vendors' published descriptions, next to the repository if present. */
const FOLDER = join(import.meta.dirname, "../../../../../shared/providers");

const described = existsSync(FOLDER);
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
const documents = new Map<string, Json>();
const validators = new Map<string, ValidateFunction>();

/** Deviations of a response of the Twilio API from its description. */
export function describesTwilio(
  method: string,
  path: string,
  answer: { status: number; body: unknown },
): string[] {
  return check("twilio/api-v2010-subset.json", method, path, answer);
}

/** The same for a read of Messaging Services. */
export function describesMessaging(path: string, answer: { status: number; body: unknown }): string[] {
  return check("twilio/messaging-v1-services.json", "get", path, answer);
}

/** Deviations of a response of the HighLevel API from its description. */
export function describesGhl(
  app: "contacts" | "users" | "locations" | "conversations" | "oauth",
  method: string,
  path: string,
  answer: { status: number; body: unknown },
): string[] {
  return check(`ghl/apps/${app}.json`, method, path, answer);
}

/** Deviations of a response of Calendar v3 from its description. */
export function describesGoogle(name: "Event" | "Events", body: unknown): string[] {
  const schemas = [
    OWN_SHAPES[`google ${name}`],
    ...(described ? [discovered({ $ref: name }, document("google/calendar-v3.discovery.json").schemas)] : []),
  ];
  return schemas.flatMap((schema, index) => faultsIn(`${index} google ${name}`, schema as Json, body));
}

/** A schema of a discovery document as JSON Schema; unknown fields are faults. */
function discovered(schema: unknown, all: unknown, depth = 0): unknown {
  const { $ref, type, properties, items, additionalProperties } = schema as Record<string, unknown>;
  if (typeof $ref === "string") return depth > 8 ? {} : discovered((all as Json)[$ref], all, depth + 1);
  if (type === "any") return {};
  if (type === "array") return { type, items: discovered(items, all, depth + 1) };
  if (type !== "object") return { type };
  if (additionalProperties)
    return { type, additionalProperties: discovered(additionalProperties, all, depth + 1) };
  const known = Object.entries(properties ?? {}).map(([key, value]) => [
    key,
    discovered(value, all, depth + 1),
  ]);
  return { type, properties: Object.fromEntries(known), additionalProperties: false };
}

/** Checks our own shape always, and the vendor's description if present. */
function check(
  file: string,
  method: string,
  path: string,
  answer: { status: number; body: unknown },
): string[] {
  const name = `${method} ${path} ${answer.status}`;
  const own = OWN_SHAPES[name];
  const schemas = [own, ...(described ? [vendorSchema(file, method, path, answer.status)] : [])];
  return schemas.flatMap((schema, index) => {
    if (!schema) return [`no ${index === 0 ? "shape" : "description"} of ${name}`];
    return faultsIn(`${index} ${file} ${name}`, schema, answer.body);
  });
}

function faultsIn(key: string, schema: Json, body: unknown): string[] {
  const validate = compiled(key, schema);
  return validate(body)
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

function compiled(key: string, schema: Json): ValidateFunction {
  const validate = validators.get(key) ?? ajv.compile(schema);
  validators.set(key, validate);
  return validate;
}

function vendorSchema(file: string, method: string, path: string, status: number): Json | undefined {
  const content = follow(document(file), ["paths", path, method, "responses", String(status), "content"]);
  const { schema } = (Object.values(content ?? {})[0] ?? {}) as { schema?: unknown };
  return schema ? (inline(schema, file, 0) as Json) : undefined;
}

function document(file: string): Json {
  const known = documents.get(file);
  if (known) return known;
  const read = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Json;
  documents.set(file, read);
  return read;
}

function follow(from: Json, path: string[]): Json | undefined {
  return path.reduce<Json | undefined>((at, key) => at?.[key] as Json | undefined, from);
}

/** Resolves references and converts OpenAPI's `nullable` to JSON Schema. */
function inline(schema: unknown, file: string, depth: number): unknown {
  if (Array.isArray(schema)) return schema.map((one) => inline(one, file, depth));
  if (typeof schema !== "object" || schema === null) return schema;
  const node = schema as Json;
  if (typeof node.$ref === "string") {
    if (depth > 12) return {};
    const [target, pointer] = node.$ref.split("#") as [string, string];
    const home = target ? join(dirname(file), target) : file;
    return inline(follow(document(home), pointer.split("/").slice(1)) ?? {}, home, depth + 1);
  }
  const { nullable, example: _example, ...rest } = node;
  const plain = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, inline(value, file, depth)]),
  );
  return nullable === true ? { anyOf: [plain, { type: "null" }] } : plain;
}
