import type { LeadStatus } from "@portal/contract/entities/lead";
import { formatDate, formatTimeIn } from "../../lib/format.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { leadLabelMessages } from "../../lib/lead-label-messages.ts";
import { leadLanguageMessages } from "../../lib/lead-language-messages.ts";
import type { OfflineWrite } from "../../lib/offline/queue-item.ts";
import { outcomeMessages } from "../telephony/call/messages.ts";
import { queueMessages } from "./queue-messages.ts";

/** A field and its value as text. */
export interface WriteLine {
  label: string;
  value: string;
}

type Fields = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** 'Nov 26, 2026 · 10:00 (America/New_York)'; only the date without a time. */
function followUpValue({ nextFollowUpDate: date, nextFollowUpTime: time, nextFollowUpZone: zone }: Fields) {
  const parts = [
    isText(date) ? formatDate(date) : null,
    isText(time) ? formatTimeIn(`1970-01-01T${time}:00Z`, "UTC") : null,
    isText(zone) ? zone.replaceAll("_", " ") : null,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

/** The values of a lead's or call's fields as text; `fields` are those of a queued write, or the current ones. */
export function labelFields(fields: Fields): WriteLine[] {
  const t = messagesOf(queueMessages);
  const label = messagesOf(leadLabelMessages);
  const lines: WriteLine[] = [];
  const { outcome, status, priority, notes, language } = fields;
  if (isText(outcome))
    lines.push({ label: t("outcome"), value: messagesOf(outcomeMessages)(outcome as "answered") });
  if (isText(status)) lines.push({ label: label("status"), value: label(status as LeadStatus) });
  if (isText(priority)) lines.push({ label: label("priority"), value: label(priority as "high") });
  if ("nextFollowUpDate" in fields || "nextFollowUpTime" in fields) {
    const value = followUpValue(fields);
    lines.push({ label: t("followUp"), value: value || t("nothing") });
  }
  if (notes !== undefined) lines.push({ label: t("notes"), value: isText(notes) ? notes : t("nothing") });
  if (language !== undefined) {
    const name = messagesOf(leadLanguageMessages);
    lines.push({ label: name("language"), value: name(isText(language) ? (language as "es") : "unknown") });
  }
  return lines;
}

/** The fields of a queued write as text. */
export function labelWrite(write: OfflineWrite): WriteLine[] {
  switch (write.kind) {
    case "note":
      return [{ label: messagesOf(queueMessages)("note"), value: write.text }];
    case "change":
      return labelFields(write.change);
    case "outcome": {
      const { outcome, notes } = write.report;
      return labelFields({ outcome, ...(notes && { notes }) });
    }
  }
}
