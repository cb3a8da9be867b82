/**
 * Writes what happened to leads, as a part of the statement that does it: `rows` selects lead, person, kind and data, in the order of the
 * events. Their instant is that of the writing.
 */
export const insertLeadEventsSql = (rows: string) =>
  `insert into lead_events (lead_id, user_id, kind, data, at)
   select e.lead_id, e.user_id, e.kind, e.data, clock_timestamp() from (${rows}) e(lead_id, user_id, kind, data)`;

/** The same of the audit: `rows` selects, or lists, user, action, subject and data. */
export const insertAuditSql = (rows: string) =>
  `insert into audit_log (user_id, action, subject, data) ${rows}`;
