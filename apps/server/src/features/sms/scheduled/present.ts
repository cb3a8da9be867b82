import type { ScheduledText } from "@portal/contract/entities/scheduled-text";
import type { ListedScheduled } from "./repository.ts";

export const presentScheduled = (row: ListedScheduled): ScheduledText => ({
  id: row.id,
  leadId: row.leadId,
  leadName: row.leadName,
  message: row.body,
  state: row.state,
  reason: row.reason,
  sendAt: row.sendAt.toISOString(),
  timeZone: row.timeZone,
  writerName: row.writerName,
});
