import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { OWN_SHAPES } from "./own-shapes.ts";

type Json = Record<string, unknown>;

/** The vendors' published descriptions, beside the repository where they are present. */
const FOLDER = join(import.meta.dirname, "../../../../../shared/providers");

const described = existsSync(FOLDER) && process.env.SANDBOX_OWN_SHAPES !== "1";
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
const documents = new Map<string, Json>();
const validators = new Map<string, ValidateFunction>();

/** What is wrong with an answer of the Twilio API by its description; empty when nothing is. */
export function describesTwilio(
  method: string,
  path: string,
  answer: { status: number; body: unknown },
): string[] {
  return check("twilio/api-v2010-subset.json", method, path, answer);
}

/** What is wrong with an answer of the HighLevel API by its description; empty when nothing is. */
export function describesGhl(
  app: "contacts" | "users" | "locations" | "conversations",
  method: string,
  path: string,
  answer: { status: number; body: unknown },
): string[] {
  return check(`ghl/apps/${app}.json`, method, path, answer);
}

function check(
  file: string,
  method: string,
  path: string,
  answer: { status: number; body: unknown },
): string[] {
  const name = `${method} ${path} ${answer.status}`;
  const validate = validators.get(`${file} ${name}`) ?? compile(name, file, method, path, answer.status);
  if (!validate) return [`no description of ${name}`];
  validators.set(`${file} ${name}`, validate);
  if (validate(answer.body)) return [];
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

function compile(
  name: string,
  file: string,
  method: string,
  path: string,
  status: number,
): ValidateFunction | undefined {
  if (!described) {
    const shape = OWN_SHAPES[name];
    return shape ? ajv.compile(shape) : undefined;
  }
  const schema = follow(document(file), ["paths", path, method, "responses", String(status), "content"]);
  const content = Object.values(schema ?? {})[0] as Json | undefined;
  if (!content?.schema) return undefined;
  return ajv.compile(inline(content.schema, file, 0) as Json);
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

/** Puts references in place and turns OpenAPI's `nullable` into JSON Schema. */
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
