import * as contract from "@portal/contract/routes/sms-templates";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import { isWriter } from "../../leads/policy.ts";
import { presentFilled, presentTemplate } from "./present.ts";
import { countSent, findLeadValues, listTemplates } from "./repository.ts";
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
