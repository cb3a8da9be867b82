import type { Language } from "@portal/contract/entities/user";
import type { FilledTemplate, SmsTemplate } from "@portal/contract/routes/sms-templates";
import * as contract from "@portal/contract/routes/sms-templates";
import { fillTemplate, type TemplateField } from "@portal/contract/sms-template";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import { isWriter } from "../../leads/policy.ts";
import { countSent, findLeadValues, type LeadValues, listTemplates, type TemplateRow } from "./repository.ts";
import { changeTemplate, createTemplate, removeTemplate } from "./service.ts";

/** Routes for SMS templates: a user's own, and those that administrators share. */
export function registerSmsTemplateRoutes(app: FastifyInstance, context: { database: Database }): void {
  const { db } = context.database;

  async function templatesOf(userId: number): Promise<contract.SmsTemplate[]> {
    const rows = await listTemplates(db, userId);
    const sent = await countSent(
      db,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => presentTemplate(row, sent.get(row.id) ?? 0));
  }

  async function templateOf(userId: number, id: number): Promise<contract.SmsTemplate> {
    const template = (await templatesOf(userId)).find((each) => each.id === id);
    if (!template) throw new AppError("not_found");
    return template;
  }

  bindRoute(app, contract.listSmsTemplates, ({ actor }) => templatesOf(actor.userId));

  bindRoute(app, contract.createSmsTemplate, async ({ body, actor }) =>
    templateOf(actor.userId, await createTemplate(context, { ...body, actor })),
  );

  bindRoute(app, contract.updateSmsTemplate, async ({ params, body, actor }) => {
    const { version, ...changes } = body;
    await changeTemplate(context, { actor, id: params.id, version, changes });
    return templateOf(actor.userId, params.id);
  });

  bindRoute(app, contract.deleteSmsTemplate, async ({ params, actor }) => {
    await removeTemplate(context, { actor, id: params.id });
    return { message: "The template was deleted." };
  });

  bindRoute(app, contract.listFilledTemplates, async ({ params, actor }) => {
    const lead = await findLeadValues(db, params.id);
    if (!lead) throw new AppError("not_found", "This lead does not exist.");
    if (!isWriter(actor, lead)) throw new AppError("not_your_lead");
    const rows = await listTemplates(db, actor.userId);
    const missed = rows.filter(({ isForMissedCall }) => isForMissedCall);
    return {
      language: lead.language,
      templates: rows.map((row) => presentFilled(row, lead, actor.name)),
      missedCallId: (missed.find(({ isShared }) => !isShared) ?? missed[0])?.id ?? null,
    };
  });
}

const presentTemplate = (row: TemplateRow, sent: number): SmsTemplate => ({
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
function presentFilled(
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
