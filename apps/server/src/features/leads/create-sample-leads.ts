import { randomBytes } from "node:crypto";
import { properName, splitName } from "../../domain/person-name.ts";
import { phoneTimeZone, toE164 } from "../../domain/phone.ts";
import { searchText } from "../../domain/search-text.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordLeadEvents } from "../activity/service.ts";
import type { LeadsContext } from "./service.ts";

const samples = [
  {
    name: "lucia fernandez",
    phone: "(305) 555-0110",
    company: "Sol y Sombra Café",
    industry: "Hospitality",
    priority: "high",
    dealValue: 5200,
  },
  {
    name: "Robert Chen",
    phone: "(212) 555-0121",
    company: "Harbor Print Works",
    industry: "Manufacturing",
    priority: "medium",
    dealValue: 1800,
  },
  {
    name: "carmen ortiz",
    phone: "(305) 555-0133",
    company: "Clínica Dental Ortiz",
    industry: "Health",
    priority: "medium",
    dealValue: 950,
  },
  {
    name: "Dana Whitfield",
    phone: "(646) 555-0145",
    company: "Whitfield Bakery",
    industry: "Retail",
    priority: "low",
    dealValue: 400,
  },
  {
    name: "jesus ramirez",
    phone: "(786) 555-0157",
    company: "Taller Ramírez",
    industry: "Automotive",
    priority: "high",
    dealValue: 3100,
  },
] as const;

/** Creates test leads for the current user; returns their number. Each call creates new ones with unique emails. */
export async function createSampleLeads(context: LeadsContext, actor: AuthSession): Promise<number> {
  const mark = randomBytes(3).toString("hex");
  const assignedTo = actor.role === "consultant" ? actor.userId : null;
  const rows = samples.map((sample, index) => {
    const name = properName(sample.name);
    const email = `sample-${mark}-${index + 1}@example.com`;
    const phoneE164 = toE164(sample.phone, "US");
    const timeZone = phoneTimeZone(phoneE164);
    const lead = { ...sample, ...splitName(name), name, email, phoneE164, timeZone };
    const assignedAt = assignedTo ? new Date() : null;
    return { ...lead, leadSource: "Test", assignedTo, assignedAt, search: searchText(lead) };
  });
  await context.database.transaction(async (tx) => {
    const made = await tx.insert(leads).values(rows).returning({ id: leads.id });
    await recordLeadEvents(
      tx,
      made.map(({ id }) => ({ leadId: id, userId: actor.userId, kind: "created", data: { source: "test" } })),
    );
    await publishEvent(tx, { topic: "lead", id: 0, audience: [actor.userId] });
  });
  return rows.length;
}
