import type { FastifyInstance } from "fastify";
import {
  GHL_COMPANY_ID,
  GHL_LOCATION_ID,
  GHL_LOCATIONS,
  SEEDED_USERS,
  type SeededUser,
  SYSTEM_NUMBER,
} from "../defaults.ts";
import { newId } from "../ids.ts";
import { numberOr } from "../number-or.ts";
import type { CrmData } from "./crm-data.ts";
import type { CustomField } from "./entities.ts";
import { GhlError } from "./errors.ts";
import { requireLocation } from "./guards.ts";
import type { Manners } from "./manners.ts";

type OfLocation = { Params: { locationId: string } };

const DATA_TYPES = [
  "TEXT",
  "LARGE_TEXT",
  "NUMERICAL",
  "PHONE",
  "MONETORY",
  "CHECKBOX",
  "SINGLE_OPTIONS",
  "MULTIPLE_OPTIONS",
  "DATE",
  "TEXTBOX_LIST",
  "FILE_UPLOAD",
  "RADIO",
  "EMAIL",
];

/** The location itself, its users and its custom fields. */
export function locationRoutes(app: FastifyInstance, data: CrmData, manners: Manners): void {
  function requireScope(): void {
    if (!manners.usersSearch) throw new GhlError(401, "The token is not authorized for this scope.");
  }

  app.get<OfLocation>("/locations/:locationId", async (request) => {
    requireScope();
    const other = GHL_LOCATIONS.slice(1).find(({ id }) => id === request.params.locationId);
    if (other) return { location: { ...presentLocation(), ...other } };
    requireLocation(request.params.locationId);
    return { location: presentLocation() };
  });

  app.get<OfLocation & { Querystring: { model?: string } }>(
    "/locations/:locationId/customFields",
    async (request) => {
      requireLocation(request.params.locationId);
      const model = request.query.model ?? "contact";
      const fields = data.customFields.values().filter((field) => model === "all" || field.model === model);
      return { customFields: fields.map(presentField) };
    },
  );

  app.post<OfLocation & { Body: Record<string, unknown> | null }>(
    "/locations/:locationId/customFields",
    async (request, reply) => {
      requireLocation(request.params.locationId);
      const field = newField(request.body ?? {}, data);
      data.customFields.set(field.id, field);
      return reply.code(201).send({ customField: presentField(field) });
    },
  );

  app.get<{ Querystring: { locationId?: string } }>("/users/", async (request) => {
    requireLocation(request.query.locationId);
    return { users: SEEDED_USERS.map(presentUser) };
  });

  app.get<{ Querystring: Record<string, string | undefined> }>("/users/search", async ({ query }) => {
    requireScope();
    if (query.companyId !== GHL_COMPANY_ID) throw new GhlError(422, ["companyId should not be empty"]);
    if (query.locationId !== undefined) requireLocation(query.locationId);
    const text = query.query?.toLowerCase() ?? "";
    const users = SEEDED_USERS.map(presentUser).filter((user) =>
      `${user.name} ${user.email}`.toLowerCase().includes(text),
    );
    const skip = numberOr(query.skip, 0);
    return { users: users.slice(skip, skip + numberOr(query.limit, 25)), count: users.length };
  });

  app.get<{ Params: { userId: string } }>("/users/:userId", async (request) => {
    const user = SEEDED_USERS.find((one) => one.id === request.params.userId);
    if (!user) throw new GhlError(400, `User with id ${request.params.userId} not found`);
    return presentUser(user);
  });
}

function newField(body: Record<string, unknown>, data: CrmData): CustomField {
  const { name, dataType, placeholder, position, model, options } = body;
  const faults = [];
  if (typeof name !== "string" || name.trim() === "") faults.push("name should not be empty");
  if (typeof dataType !== "string" || !DATA_TYPES.includes(dataType)) {
    faults.push(`dataType must be one of the following values: ${DATA_TYPES.join(", ")}`);
  }
  if (faults.length > 0) throw new GhlError(422, faults);
  const owner = model === "opportunity" ? "opportunity" : "contact";
  const key = String(name)
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
  const fieldKey = `${owner}.${key}`;
  if (data.customFields.values().some((field) => field.fieldKey === fieldKey)) {
    throw new GhlError(400, `A custom field with the key ${fieldKey} already exists.`);
  }
  return {
    id: newId(),
    name: String(name).trim(),
    fieldKey,
    dataType: String(dataType),
    placeholder: typeof placeholder === "string" ? placeholder : "",
    position: typeof position === "number" ? position : 0,
    ...(Array.isArray(options) ? { picklistOptions: options.map(String) } : {}),
    model: owner,
  };
}

function presentField(field: CustomField): Record<string, unknown> {
  return { ...field, locationId: GHL_LOCATION_ID };
}

function presentUser(user: SeededUser) {
  return {
    id: user.id,
    name: `${user.firstName} ${user.lastName}`,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    ...(user.phone ? { phone: user.phone } : {}),
    extension: "",
    permissions: {
      contactsEnabled: true,
      conversationsEnabled: true,
      assignedDataOnly: user.role === "user",
    },
    roles: { type: "account", role: user.role, locationIds: [GHL_LOCATION_ID] },
    deleted: false,
  };
}

function presentLocation(): Record<string, unknown> {
  const place = {
    address: "100 Biscayne Blvd",
    city: "Miami",
    state: "FL",
    country: "US",
    postalCode: "33132",
  };
  return {
    id: GHL_LOCATION_ID,
    companyId: GHL_COMPANY_ID,
    name: "Sandbox Sales",
    ...place,
    website: "https://portal.example.com",
    timezone: "America/New_York",
    firstName: "Portal",
    lastName: "Admin",
    email: "admin@portal.test",
    phone: SYSTEM_NUMBER,
    business: { name: "Sandbox Sales", ...place, timezone: "America/New_York" },
    social: {},
    settings: {
      allowDuplicateContact: true,
      allowDuplicateOpportunity: false,
      allowFacebookNameMerge: false,
      disableContactTimezone: false,
    },
  };
}
