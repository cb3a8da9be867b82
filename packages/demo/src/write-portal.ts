import { phoneTimeZone } from "../../../apps/server/src/domain/phone.ts";
import { searchText } from "../../../apps/server/src/domain/search-text.ts";
import { doneMessage } from "../../../apps/server/src/features/crm/write-messages.ts";
import type { Tx } from "../../../apps/server/src/platform/db/client.ts";
import { recountMetrics } from "../../../apps/server/src/platform/db/metrics.ts";
import { iso, languageField, languageName } from "./contacts.ts";
import { type Columns, TableWriter } from "./copy.ts";
import { systemNumber } from "./people.ts";
import type { Lead, World } from "./world.ts";
import { writeDeliveries, writeSessions } from "./write-automation.ts";
import { writeCalls, writeRecordings } from "./write-calls.ts";

/** The CRM's data that has no column. */
function extraOf(lead: Lead) {
  if (lead.contactId === null) return null;
  const followUp = iso(lead.followUpAt);
  return {
    ...(lead.owner && { assignedTo: lead.owner.crmUserId }),
    ...(lead.tags.length > 0 && { tags: lead.tags }),
    state: lead.area.state,
    timeZone: lead.area.zone,
    fields: { [languageField]: languageName(lead) },
    ...(followUp && { followUp }),
  };
}

const blocked = (lead: Lead) => (lead.doNotDisturb ? "dnd" : null);
const nameOf = (lead: Lead) => `${lead.firstName} ${lead.lastName}`;

const leadColumns: Columns<Lead> = {
  id: ({ id }) => id,
  name: nameOf,
  first_name: ({ firstName }) => firstName,
  last_name: ({ lastName }) => lastName,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  phone_e164: ({ phone }) => phone,
  time_zone: ({ phone }) => phoneTimeZone(phone),
  company: ({ company }) => company,
  industry: ({ industry }) => industry,
  status: ({ status }) => status,
  lead_source: ({ source }) => source,
  language: ({ conversations, language }) => (conversations > 1 ? language : null),
  language_guess: ({ wrote, language }) => (wrote ? language : null),
  priority: ({ priority }) => priority,
  notes: ({ notes }) => notes,
  deal_value: ({ dealValue }) => dealValue,
  next_follow_up_date: ({ followUpAt }) => iso(followUpAt),
  last_contacted_at: ({ lastContactedAt }) => iso(lastContactedAt),
  last_activity_at: ({ lastActivityAt }) => iso(lastActivityAt),
  assigned_to: ({ owner }) => owner?.id,
  assigned_at: ({ assignedAt }) => iso(assignedAt),
  created_at: ({ createdAt }) => iso(createdAt),
  updated_at: ({ updatedAt }) => iso(updatedAt),
  converted_at: ({ convertedAt }) => iso(convertedAt),
  call_opt_out: blocked,
  text_opt_out: (lead) => (lead.stoppedAt === null ? blocked(lead) : "stop"),
  number_fault: ({ numberFault }) => numberFault,
  ghl_contact_id: ({ contactId }) => contactId,
  crm_updated_at: ({ contactId, crmUpdatedAt }) => (contactId === null ? null : iso(crmUpdatedAt)),
  crm_note_id: ({ noteId }) => noteId,
  crm_sync: ({ contactId }) => (contactId === null ? "none" : "synced"),
  ai_recording_message_id: ({ aiCall }) => aiCall?.id,
  ai_recording_at: ({ aiCall }) => iso(aiCall?.at ?? null),
  ai_recording_seconds: ({ aiCall }) => aiCall?.durationSeconds,
  extra: extraOf,
  search: (lead) => searchText({ ...lead, name: nameOf(lead), phoneE164: lead.phone }),
};

async function writeTexts(writer: TableWriter, { texts, leads }: World): Promise<void> {
  await writer.copy("messages", texts, {
    id: ({ id }) => id,
    lead_id: ({ lead }) => lead?.id,
    user_id: ({ author }) => author?.id,
    direction: ({ inbound }) => (inbound ? "inbound" : "outbound"),
    body: ({ body }) => body,
    status: ({ status }) => status,
    error_code: ({ errorCode }) => errorCode,
    from_number: ({ inbound, number }) => (inbound ? number : systemNumber),
    to_number: ({ inbound, number }) => (inbound ? systemNumber : number),
    segments: ({ inbound }) => (inbound ? null : 1),
    message_sid: ({ sid }) => sid,
    created_at: ({ at }) => iso(at),
    asked_at: ({ inbound, at }) => (inbound ? null : iso(at)),
    read_at: ({ readAt }) => iso(readAt),
    dismissed_at: ({ dismissed }) => iso(dismissed?.at ?? null),
    last_event_at: ({ at }) => iso(at + 2_000),
  });
  const stopped = leads.filter(({ stoppedAt }) => stoppedAt !== null);
  await writer.copy("stopped_numbers", stopped, {
    number: ({ phone }) => phone,
    stopped: () => true,
    changed_at: ({ stoppedAt }) => iso(stoppedAt),
  });
}

async function writeDesk(writer: TableWriter, { meetings, clients, clock }: World): Promise<void> {
  await writer.copy("meetings", meetings, {
    id: ({ id }) => id,
    user_id: ({ owner }) => owner.id,
    lead_id: ({ lead }) => lead.id,
    title: ({ title }) => title,
    starts_at: ({ startsAt }) => iso(startsAt),
    ends_at: ({ endsAt }) => iso(endsAt),
    time_zone: () => clock.zone,
    calendar_type: () => "local",
    created_at: ({ createdAt }) => iso(createdAt),
    updated_at: ({ createdAt }) => iso(createdAt),
  });
  await writer.copy("clients", clients, {
    id: ({ id }) => id,
    lead_id: ({ lead }) => lead.id,
    converted_by: ({ by }) => by.id,
    converted_at: ({ at }) => iso(at),
    conversion_value: ({ value }) => value,
    notes: ({ notes }) => notes,
  });
}

async function writeOffice(writer: TableWriter, { imports, runs, changes }: World): Promise<void> {
  await writer.copy("imports", imports, {
    id: ({ id }) => id,
    user_id: ({ by }) => by.id,
    source_system: () => "csv",
    file_name: ({ fileName }) => fileName,
    columns: ({ columns }) => columns,
    state: () => "done",
    total: ({ total }) => total,
    position: ({ total }) => total,
    imported: ({ imported }) => imported,
    skipped: ({ skipped }) => skipped,
    errors: ({ failures }) => failures.length,
    heartbeat_at: ({ at }) => iso(at + 3_000),
    started_at: ({ at }) => iso(at),
    finished_at: ({ at }) => iso(at + 3_000),
  });
  const failures = imports.flatMap(({ id, failures: rows }) => rows.map((row) => ({ ...row, id })));
  await writer.copy("import_failures", failures, {
    import_id: ({ id }) => id,
    row: ({ row }) => row,
    reasons: ({ reasons }) => reasons,
    raw: ({ cells }) => JSON.stringify(cells),
  });
  await writer.copy("crm_sync_runs", runs, {
    id: ({ id }) => id,
    kind: ({ kind }) => kind,
    state: () => "done",
    requested_by: ({ by }) => by.id,
    synced: ({ synced }) => synced,
    created: ({ created }) => created,
    changed: ({ changed }) => changed,
    message: ({ kind, synced }) => doneMessage(kind, synced),
    heartbeat_at: ({ finishedAt }) => iso(finishedAt),
    attempts: () => 0,
    started_at: ({ at }) => iso(at),
    finished_at: ({ finishedAt }) => iso(finishedAt),
  });
  await writer.copy("crm_outbox", changes, {
    lead_id: ({ lead }) => lead.id,
    field: ({ field }) => field,
    value: ({ value }) => JSON.stringify(value),
    user_id: ({ userId }) => userId,
    state: () => "sent",
    attempts: () => 1,
    created_at: ({ at }) => iso(at),
    sent_at: ({ at }) => iso(at + 3_000),
  });
}

async function writeHistory(writer: TableWriter, { history, audit }: World): Promise<void> {
  await writer.copy("lead_events", history, {
    lead_id: ({ lead }) => lead.id,
    user_id: ({ userId }) => userId,
    kind: ({ kind }) => kind,
    data: ({ data }) => data,
    at: ({ at }) => iso(at),
  });
  await writer.copy("audit_log", audit, {
    user_id: ({ userId }) => userId,
    action: ({ action }) => action,
    subject: ({ subject }) => subject,
    data: ({ data }) => data,
    at: ({ at }) => iso(at),
  });
}

/** Tables without metrics. Their rows refer to existing leads and users, so a superuser skips the checks of foreign keys. */
async function writeRecords(writer: TableWriter, world: World): Promise<void> {
  const { rows } = await writer.tx.$client.query<{ may: string }>(
    "select current_setting('is_superuser') as may",
  );
  const setTriggers = (role: string) =>
    writer.tx.$client.query(`set local session_replication_role = ${role}`);
  if (rows[0]?.may === "on") await setTriggers("replica");
  await writeRecordings(writer, world);
  await writeOffice(writer, world);
  await writeHistory(writer, world);
  await writeDeliveries(writer, world);
  await writeSessions(writer, world);
  await writer.finish();
  if (rows[0]?.may === "on") await setTriggers("origin");
}

/** The accounts as of people who have worked here all the time. */
async function writePeople({ tx }: TableWriter, { reps, admin, audit, history }: World): Promise<void> {
  for (const { id, crmUserId } of [admin, ...reps]) {
    const acts = [...audit, ...history].filter(({ userId }) => userId === id).map(({ at }) => at);
    await tx.$client.query(
      `update users set crm_user_id = $2, created_at = $3, updated_at = $3, last_active_at = $4, last_seen_at = $4 where id = $1`,
      [id, crmUserId, iso(Math.min(...acts)), iso(Math.max(...acts))],
    );
  }
}

const numbered = [
  "leads",
  "calls",
  "inbound_calls",
  "call_logs",
  "messages",
  "meetings",
  "clients",
  "imports",
  "crm_sync_runs",
  "provider_events",
  "dialer_sessions",
];

/** Writes the world into an empty database as the portal would have. Metrics are counted from the rows at the end. */
export async function writePortal(tx: Tx, world: World): Promise<void> {
  const writer = new TableWriter(tx);
  await writer.copy("leads", world.leads, leadColumns);
  await writeCalls(writer, world);
  await writeTexts(writer, world);
  await writeDesk(writer, world);
  await writer.finish();
  await writeRecords(writer, world);
  await writePeople(writer, world);
  for (const table of numbered)
    await tx.$client.query(`select setval('${table}_id_seq', greatest(1, (select max(id) from ${table})))`);
  await recountMetrics(tx, world.clock.zone);
}
