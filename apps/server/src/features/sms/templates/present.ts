import type { Language } from "@portal/contract/entities/user";
import type { FilledTemplate, SmsTemplate } from "@portal/contract/routes/sms-templates";
import { fillTemplate, type TemplateField } from "@portal/contract/sms-template";
import type { LeadValues, TemplateRow } from "./repository.ts";

export const presentTemplate = (row: TemplateRow, sent: number): SmsTemplate => ({
  id: row.id,
  name: row.name,
  en: row.en,
  es: row.es,
  isShared: row.isShared,
  isForMissedCall: row.isForMissedCall,
  version: row.version,
  savedAt: row.savedAt.toISOString(),
  savedBy: row.savedByName,
  sent,
});

const locales: Record<Language, string> = { en: "en-US", es: "es-US" };

/** Day and time of a meeting in the lead's zone, if there is exactly one, else in the meeting's own. */
function meetingText({ meetingAt, meetingZone, timeZone }: LeadValues, language: Language): string | null {
  if (!meetingAt || !meetingZone) return null;
  const isOneZone = timeZone !== null && !timeZone.includes("&");
  return new Intl.DateTimeFormat(locales[language], {
    timeZone: isOneZone ? timeZone : meetingZone,
    weekday: "long",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  })
    .format(meetingAt)
    .replaceAll(/[ {2}]/g, " ");
}

const valuesOf = (
  lead: LeadValues,
  writerName: string,
  language: Language,
): Record<TemplateField, string | null> => ({
  first_name: lead.firstName,
  consultant: (lead.ownerName ?? writerName).split(" ")[0] ?? null,
  company: lead.company,
  meeting: meetingText(lead, language),
});

/** A template with its fields filled for a lead. `writerName` is used if the lead is unassigned. */
export function presentFilled(
  { id, name, isShared, versionId, ...words }: TemplateRow,
  lead: LeadValues,
  writerName: string,
): FilledTemplate {
  const filled = (language: Language) => {
    const body = words[language];
    return body && fillTemplate(body, valuesOf(lead, writerName, language));
  };
  return { id, name, isShared, versionId, en: filled("en"), es: filled("es") };
}
