import type { Lead, World } from "./world.ts";

/** Custom fields of the CRM's location: those of the business, and those that the portal creates. */
const fields = {
  industry: ["Industry", "industry", "SINGLE_OPTIONS"],
  dealValue: ["Deal Value", "deal_value", "MONETORY"],
  language: ["Preferred Language", "preferred_language", "TEXT"],
  status: ["portal_status", "portal_status", "TEXT"],
  priority: ["portal_priority", "portal_priority", "TEXT"],
  followUp: ["portal_follow_up", "portal_follow_up", "TEXT"],
  conversionValue: ["portal_conversion_value", "portal_conversion_value", "TEXT"],
  convertedAt: ["portal_converted_at", "portal_converted_at", "TEXT"],
} as const;
type Field = keyof typeof fields;

const idOf = (field: Field) => `fld${field}`.padEnd(20, "0");

export const languageField = fields.language[0];
export const languageName = (lead: Lead) => (lead.language === "es" ? "Spanish" : "English");
export const iso = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString());

export function customFields(industries: string[]) {
  return (Object.entries(fields) as [Field, (typeof fields)[Field]][]).map(
    ([field, [name, key, dataType]], index) => ({
      id: idOf(field),
      name,
      fieldKey: `contact.${key}`,
      dataType,
      placeholder: "",
      position: 50 * (index + 1),
      model: "contact",
      ...(field === "industry" && { picklistOptions: industries }),
    }),
  );
}

function valuesOf(lead: Lead, dealValue: number | null): Partial<Record<Field, unknown>> {
  return {
    industry: lead.industry,
    dealValue,
    language: languageName(lead),
    status: lead.pushedStatus ? lead.status : null,
    priority: lead.priority === "medium" ? null : lead.priority,
    followUp: iso(lead.followUpAt),
    conversionValue: lead.conversionValue === null ? null : String(lead.conversionValue),
    convertedAt: iso(lead.convertedAt),
  };
}

const dnd = (code: string, message: string) => ({ status: "active", code, message });

function doNotDisturb(lead: Lead) {
  if (lead.doNotDisturb) {
    const asked = dnd("dnd", "Requested by the contact");
    return { dnd: true, dndSettings: { Call: asked, SMS: asked, Email: asked } };
  }
  const stopped = lead.stoppedAt === null ? {} : { SMS: dnd("STOP", "Asked for by the person") };
  return { dnd: false, dndSettings: stopped };
}

/** A lead as a contact of the CRM. */
export function contactOf(world: World, lead: Lead) {
  const changed = world.changedThere.get(lead);
  const values = Object.entries(valuesOf(lead, changed?.dealValue ?? lead.dealValue));
  return {
    id: lead.contactId,
    firstName: lead.firstName,
    lastName: lead.lastName,
    email: lead.email,
    phone: lead.phone,
    companyName: lead.company,
    city: lead.area.city,
    state: lead.area.state,
    postalCode: lead.area.zip,
    country: "US",
    timezone: lead.area.zone,
    source: lead.source,
    assignedTo: lead.owner?.crmUserId ?? null,
    tags: lead.tags,
    ...doNotDisturb(lead),
    customFields: values
      .filter(([, value]) => value !== null)
      .map(([field, value]) => ({ id: idOf(field as Field), value })),
    dateAdded: iso(lead.createdAt),
    dateUpdated: iso(changed ? world.clock.now - 40 * 60_000 : lead.crmUpdatedAt),
  };
}
