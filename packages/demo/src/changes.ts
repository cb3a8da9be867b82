import type { LeadStatus } from "@portal/contract/entities/lead";
import type { Lead, Person, World } from "./world.ts";

/** Time until the CRM has a change. */
const pushMs = 3_000;

/** Adds an entry to the lead's timeline. */
export function addEvent(
  world: World,
  event: { at: number; lead: Lead; by: Person | null; kind: string; data: Record<string, unknown> },
): void {
  const { at, lead, by, kind, data } = event;
  world.history.push({ at, lead, userId: by?.id ?? null, kind, data });
}

export function addAudit(
  world: World,
  entry: { at: number; by: Person | null; action: string; subject?: string; data?: Record<string, unknown> },
): void {
  const { at, by, action, subject = null, data = {} } = entry;
  world.audit.push({ at, userId: by?.id ?? null, action, subject, data });
}

/** Pushes a change to the CRM, if the lead has a contact there. */
export function pushToCrm(
  world: World,
  change: { at: number; lead: Lead; by: Person | null; field: string; value: unknown },
): void {
  const { at, lead, by, field, value } = change;
  if (lead.contactId === null) return;
  world.changes.push({ at, lead, userId: by?.id ?? null, field, value });
  addEvent(world, { at: at + pushMs, lead, by, kind: "crm-pushed", data: { field, value } });
  lead.crmUpdatedAt = Math.max(lead.crmUpdatedAt, at + pushMs);
}

export function setStatus(world: World, lead: Lead, status: LeadStatus, by: Person | null, at: number): void {
  if (lead.status === status) return;
  const data = { field: "status", before: lead.status, after: status };
  addEvent(world, { at, lead, by, kind: "changed", data });
  pushToCrm(world, { at, lead, by, field: "status", value: status });
  lead.status = status;
  lead.pushedStatus = true;
  lead.updatedAt = Math.max(lead.updatedAt, at);
}

export function setFollowUp(
  world: World,
  lead: Lead,
  followUpAt: number | null,
  by: Person,
  at: number,
): void {
  if (lead.followUpAt === followUpAt) return;
  const iso = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString());
  const data = { field: "nextFollowUpDate", before: iso(lead.followUpAt), after: iso(followUpAt) };
  addEvent(world, { at, lead, by, kind: "changed", data });
  pushToCrm(world, { at, lead, by, field: "nextFollowUpDate", value: iso(followUpAt) });
  lead.followUpAt = followUpAt;
  lead.updatedAt = Math.max(lead.updatedAt, at);
}

export function recordChange(lead: Lead, at: number): void {
  lead.lastActivityAt = Math.max(lead.lastActivityAt ?? 0, at);
}
