import type { AuditAction } from "@portal/contract/entities/audit";
import type { Language } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import type { FilledTemplate, SmsTemplate } from "@portal/contract/routes/sms-templates";
import * as contract from "@portal/contract/routes/sms-templates";
import { fillTemplate, type TemplateField, unknownFields } from "@portal/contract/sms-template";
import type { FastifyInstance } from "fastify";
import type { Database, Tx } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import { recordAudit } from "../../activity/service.ts";
import { isWriter } from "../../leads/policy.ts";
import {
  countInGroup,
  countSent,
  deleteTemplate,
  findLeadValues,
  insertTemplate,
  insertVersion,
  type LeadValues,
  listTemplates,
  lockGroup,
  lockTemplate,
  setForMissedCall,
  type TemplateContent,
  type TemplateRow,
} from "./repository.ts";

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

interface TemplatesContext {
  database: Database;
}

const gone = "This template does not exist.";

/** Only administrators may change shared templates; own templates are private. */
function checkGroup(actor: AuthSession, isShared: boolean): void {
  if (isShared && actor.role !== "admin")
    throw new AppError("forbidden", "Only administrators share templates.");
}

/** The trimmed template; a language without text is null. Errors: `invalid`. */
function checkedWords({ name, en, es }: TemplateContent): TemplateContent {
  const words = {
    name: name.replaceAll(/[\p{Cc}\s]+/gu, " ").trim(),
    en: en?.trim() || null,
    es: es?.trim() || null,
  };
  if (words.name === "") throw new AppError("invalid", "Give the template a name.");
  if (!words.en && !words.es)
    throw new AppError("invalid", "Write the text in English, in Spanish, or in both.");
  const [unknown] = [words.en, words.es].flatMap((body) => unknownFields(body ?? ""));
  if (unknown !== undefined) throw new AppError("invalid", `There is no field {{${unknown}}}.`);
  return words;
}

/** Records an administrator's change of a shared template in the audit log, and publishes the event. */
async function note(
  tx: Tx,
  actor: AuthSession,
  { action, id, isShared, data }: { action: AuditAction; id: number; isShared: boolean; data: object },
): Promise<void> {
  const { userId } = actor;
  if (isShared) await recordAudit(tx, { userId, action, subject: `template:${id}`, data: { ...data } });
  await publishEvent(tx, { topic: "sms-template", id, audience: isShared ? "all" : [userId] });
}

async function holdTemplate(tx: Tx, { actor, id }: { actor: AuthSession; id: number }): Promise<TemplateRow> {
  const template = await lockTemplate(tx, { id, userId: actor.userId });
  if (!template) throw new AppError("not_found", gone);
  checkGroup(actor, template.isShared);
  return template;
}

/** Creates a template and returns its id. Errors: `invalid`, `forbidden`. */
function createTemplate(
  { database }: TemplatesContext,
  {
    actor,
    isShared,
    isForMissedCall,
    ...typed
  }: TemplateContent & { actor: AuthSession; isShared: boolean; isForMissedCall: boolean },
): Promise<number> {
  checkGroup(actor, isShared);
  const words = checkedWords(typed);
  const group = { userId: actor.userId, isShared };
  return database.transaction(async (tx) => {
    await lockGroup(tx, group);
    if ((await countInGroup(tx, group)) >= limits.smsTemplatesMax)
      throw new AppError(
        "invalid",
        `There are ${limits.smsTemplatesMax} templates already. Delete one first.`,
      );
    const { id, version } = await insertTemplate(tx, group);
    await insertVersion(tx, { ...words, templateId: id, version, savedBy: actor.userId });
    if (isForMissedCall) await setForMissedCall(tx, { ...group, id, isOn: true });
    await note(tx, actor, { action: "shared-template-created", id, isShared, data: words });
    return id;
  });
}

/** Changes a template; the previous text stays as a version. Errors: `invalid`, `forbidden`, `not_found`, `conflict`. */
function changeTemplate(
  { database }: TemplatesContext,
  {
    actor,
    id,
    version,
    changes,
  }: {
    actor: AuthSession;
    id: number;
    version: number;
    changes: { [K in keyof TemplateContent]?: TemplateContent[K] | undefined } & {
      isForMissedCall?: boolean | undefined;
    };
  },
): Promise<void> {
  return database.transaction(async (tx) => {
    const before = await holdTemplate(tx, { actor, id });
    const { name = before.name, en = before.en, es = before.es, isForMissedCall } = changes;
    const words = checkedWords({ name, en, es });
    const differs = (["name", "en", "es"] as const).filter((field) => words[field] !== before[field]);
    const isMissedOther = isForMissedCall !== undefined && isForMissedCall !== before.isForMissedCall;
    if (differs.length === 0 && !isMissedOther) return;
    if (version !== before.version)
      throw new AppError("conflict", "Somebody changed this template meanwhile. Open it again.");
    const { isShared } = before;
    if (differs.length > 0)
      await insertVersion(tx, {
        ...words,
        templateId: id,
        version: before.version + 1,
        savedBy: actor.userId,
      });
    if (isMissedOther) {
      const group = { userId: actor.userId, isShared };
      await lockGroup(tx, group);
      await setForMissedCall(tx, { ...group, id, isOn: isForMissedCall });
    }
    const data = {
      name: words.name,
      ...Object.fromEntries(
        differs.flatMap((field) => [
          [field, words[field]],
          [`${field}Before`, before[field]],
        ]),
      ),
      ...(isMissedOther && { isForMissedCall }),
    };
    await note(tx, actor, { action: "shared-template-changed", id, isShared, data });
  });
}

/** Removes a template. Errors: `forbidden`, `not_found`. */
function removeTemplate(
  { database }: TemplatesContext,
  { actor, id }: { actor: AuthSession; id: number },
): Promise<void> {
  return database.transaction(async (tx) => {
    const { name, en, es, isShared } = await holdTemplate(tx, { actor, id });
    await deleteTemplate(tx, id);
    await note(tx, actor, { action: "shared-template-deleted", id, isShared, data: { name, en, es } });
  });
}
