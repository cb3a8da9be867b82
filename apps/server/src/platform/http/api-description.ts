import swagger from "@fastify/swagger";
import type { ApiArea } from "@portal/contract/api-areas";
import { errorBodySchema } from "@portal/contract/errors";
import type { FastifyInstance, FastifySchema } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Access } from "./policy-table.ts";

const session = { session: [] as string[] };
const key = { key: [] as string[] };

/** OpenAPI security requirements: one of them is enough; an empty list means public. */
const securityOf: Record<Access, Record<string, string[]>[]> = {
  public: [],
  user: [session],
  admin: [session],
  intake: [key, session],
  signed: [],
};

const errorAnswer = { ...z.toJSONSchema(errorBodySchema, { target: "openapi-3.0" }), description: "Refused" };

/** Tags of the document by the first part of a path. */
const areas: Record<Exclude<ApiArea, "sms">, readonly string[]> = {
  imports: ["import", "imports"],
  webhooks: ["webhook", "webhook-sources", "webhook-deliveries"],
  leads: [
    "leads",
    "today",
    "saved-views",
    "dashboard-stats",
    "search",
    "sample-data",
    "sales-reps",
    "follow-ups",
  ],
  calls: ["make-call", "calls", "call-logs", "phone-numbers", "missed-calls"],
  dialer: ["dialer"],
  recordings: ["twilio", "ai-recording"],
  calendar: ["calendar"],
  clients: ["clients"],
  reports: ["reports"],
  analytics: ["analytics"],
  crm: ["ghl", "crm", "extract-all-recordings"],
  google: ["google"],
  account: [
    ...["login", "sign-in-options", "current-user", "profile", "change-password", "password-link"],
    ...["sessions", "users"],
  ],
  settings: [
    "settings",
    "interface-settings",
    "call-settings",
    "notification-settings",
    "availability",
    "organisation-settings",
  ],
  team: ["team"],
  admin: ["admin"],
  system: ["health", "ready", "docs", "diagnostics", "notices"],
};

function areaOf(path: string): ApiArea {
  const [, , part = "", , detail] = path.split("/");
  if (detail === "sms" || part === "sms") return "sms";
  const found = Object.entries(areas).find(([, parts]) => parts.includes(part));
  return (found?.[0] ?? "system") as ApiArea;
}

function described(schema: FastifySchema, path: string, access: Access): FastifySchema {
  const answers = Object.entries((schema.response ?? {}) as Record<string, object>);
  return {
    ...schema,
    tags: [areaOf(path)],
    security: securityOf[access],
    ...(access === "admin" && { description: "Administrators only." }),
    response: {
      ...Object.fromEntries(answers.map(([status, answer]) => [status, { description: "OK", ...answer }])),
      default: errorAnswer,
    },
  };
}

/** Describes the contract's routes as an OpenAPI document (`app.swagger()`), as they are bound. */
export async function registerApiDescription(
  app: FastifyInstance,
  options: { publicUrl: string; cookieName: string },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      info: { title: "Lead Desk", version: "1" },
      servers: [{ url: options.publicUrl }],
      components: {
        securitySchemes: {
          session: { type: "apiKey", in: "cookie", name: options.cookieName },
          key: { type: "apiKey", in: "header", name: "X-Api-Key" },
        },
      },
    },
    transform: (input) => {
      const { schema, url } = jsonSchemaTransform(input);
      const access = input.route.config?.access;
      return { schema: access ? described(schema, url, access) : schema, url };
    },
  });
}
