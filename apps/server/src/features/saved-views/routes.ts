import type { AuditAction } from "@portal/contract/entities/audit";
import type { ListPage } from "@portal/contract/entities/lead-list";
import { limits } from "@portal/contract/limits";
import { listAllLeads } from "@portal/contract/routes/all-leads";
import { listCallLogs } from "@portal/contract/routes/calls";
import { listClients } from "@portal/contract/routes/clients";
import { listLeads } from "@portal/contract/routes/leads";
import * as contract from "@portal/contract/routes/saved-views";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Database, Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import {
  deleteView,
  insertView,
  listViews,
  lockView,
  lockViews,
  saveViewOrder,
  updateView,
  type ViewGroup,
  type ViewRow,
} from "./repository.ts";

/** The columns of rows in order, as in an address: names separated by commas. */
const columns = z
  .string()
  .regex(new RegExp(`^[a-zA-Z]{1,40}(,[a-zA-Z]{1,40}){0,${limits.listColumnsMax - 1}}$`))
  .optional();

/** The query of a list's address: the filters and the order of its route, and the columns of its rows. */
function addressOf({ query }: { query?: z.ZodObject | undefined }) {
  const { limit: _limit, cursor: _cursor, ...filters } = query?.shape ?? {};
  return z.strictObject({ ...filters, columns });
}

const addresses: Record<ListPage, z.ZodType> = {
  leads: addressOf(listLeads),
  "all-leads": addressOf(listAllLeads),
  contacts: addressOf(listClients),
  "call-history": addressOf(listCallLogs),
};

/** The query of a view for storage: only parameters that the list knows, each once. Errors: `invalid`. */
function checkedViewQuery(page: ListPage, query: string): string {
  const given = new URLSearchParams(query);
  const held = [...new Map(given)].filter(([, value]) => value !== "");
  if (!addresses[page].safeParse(Object.fromEntries(held)).success)
    throw new AppError(
      "invalid",
      "This address is not one of the list. Open the list and save the view there.",
    );
  return new URLSearchParams(held).toString();
}

interface ViewsContext {
  database: Database;
}

/** Users change only their own views; shared views are changed by administrators. Errors: `forbidden`. */
function checkGroup(actor: AuthSession, isForEverybody: boolean): void {
  if (isForEverybody && actor.role !== "admin")
    throw new AppError("forbidden", "Only administrators keep views for everybody.");
}

function checkedName(typed: string): string {
  const name = typed.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  if (name === "") throw new AppError("invalid", "Give the view a name.");
  return name;
}

/** Records changes of shared views in the audit log, and publishes the change of any view to the users who see it. */
async function note(
  tx: Tx,
  actor: AuthSession,
  { action, view, data }: { action: AuditAction; view: ViewRow; data: Record<string, unknown> },
): Promise<void> {
  if (view.isForEverybody)
    await recordAudit(tx, {
      userId: actor.userId,
      action,
      subject: `view:${view.id}`,
      data: { page: view.page, ...data },
    });
  await publishEvent(tx, {
    topic: "saved-view",
    id: view.id,
    audience: view.isForEverybody ? "all" : [view.userId],
  });
}

/** Stores an address of a list under a name. Errors: `invalid`, `forbidden`. */
function createView(
  { database }: ViewsContext,
  {
    actor,
    ...input
  }: { actor: AuthSession; page: ListPage; name: string; query: string; isForEverybody: boolean },
): Promise<ViewRow> {
  checkGroup(actor, input.isForEverybody);
  const view = { ...input, name: checkedName(input.name), query: checkedViewQuery(input.page, input.query) };
  return database.transaction(async (tx) => {
    const group: ViewGroup = { page: view.page, userId: actor.userId, isForEverybody: view.isForEverybody };
    const others = await lockViews(tx, group);
    if (others.length >= limits.savedViewsMax)
      throw new AppError("invalid", `There are ${limits.savedViewsMax} views already. Delete one first.`);
    const position = Math.max(0, ...others.map((other) => other.position)) + 1;
    const row = await insertView(tx, { ...view, ...group, position });
    await note(tx, actor, {
      action: "shared-view-created",
      view: row,
      data: { name: row.name, query: row.query },
    });
    return row;
  });
}

async function holdView(tx: Tx, { actor, id }: { actor: AuthSession; id: number }): Promise<ViewRow> {
  const view = await lockView(tx, { id, userId: actor.userId });
  if (!view) throw new AppError("not_found", "This view does not exist.");
  checkGroup(actor, view.isForEverybody);
  return view;
}

/** Renames a view, or changes its address. Errors: `invalid`, `forbidden`, `not_found`. */
function changeView(
  { database }: ViewsContext,
  {
    actor,
    id,
    changes,
  }: { actor: AuthSession; id: number; changes: { name?: string | undefined; query?: string | undefined } },
): Promise<ViewRow> {
  return database.transaction(async (tx) => {
    const before = await holdView(tx, { actor, id });
    const row = await updateView(tx, id, {
      name: changes.name === undefined ? before.name : checkedName(changes.name),
      query: changes.query === undefined ? before.query : checkedViewQuery(before.page, changes.query),
    });
    if (row.name === before.name && row.query === before.query) return row;
    const data = {
      name: row.name,
      ...(row.name !== before.name && { nameBefore: before.name }),
      ...(row.query !== before.query && { query: row.query, queryBefore: before.query }),
    };
    await note(tx, actor, { action: "shared-view-changed", view: row, data });
    return row;
  });
}

/** Errors: `forbidden`, `not_found`. */
function removeView(
  { database }: ViewsContext,
  { actor, id }: { actor: AuthSession; id: number },
): Promise<void> {
  return database.transaction(async (tx) => {
    const view = await holdView(tx, { actor, id });
    await deleteView(tx, id);
    await note(tx, actor, {
      action: "shared-view-deleted",
      view,
      data: { name: view.name, query: view.query },
    });
  });
}

/** Sets the order of a group's views; views that are not in `ids` follow. Errors: `forbidden`, `not_found`. */
function orderViews(
  { database }: ViewsContext,
  { actor, ids, ...of }: { actor: AuthSession; page: ListPage; isForEverybody: boolean; ids: number[] },
): Promise<void> {
  checkGroup(actor, of.isForEverybody);
  return database.transaction(async (tx) => {
    const views = await lockViews(tx, { ...of, userId: actor.userId });
    const known = views.map(({ id }) => id);
    if (ids.some((id) => !known.includes(id))) throw new AppError("not_found", "This view does not exist.");
    const ordered = [...new Set([...ids, ...known])];
    const [first] = views;
    if (!first || ordered.every((id, at) => id === known[at])) return;
    await saveViewOrder(tx, ordered);
    const names = ordered.map((id) => views.find((view) => view.id === id)?.name);
    await note(tx, actor, { action: "shared-view-changed", view: first, data: { order: names } });
  });
}

const presentView = ({ id, page, name, query, isForEverybody }: ViewRow): contract.SavedView => ({
  id,
  page,
  name,
  query,
  isForEverybody,
});

/** The routes of saved views: the user's own, and the shared ones of administrators. */
export function registerSavedViewRoutes(app: FastifyInstance, context: { database: Database }): void {
  const { db } = context.database;
  bindRoute(app, contract.listSavedViews, async ({ query, actor }) =>
    (await listViews(db, { page: query.page, userId: actor.userId })).map(presentView),
  );
  bindRoute(app, contract.createSavedView, async ({ body, actor }) =>
    presentView(await createView(context, { ...body, actor })),
  );
  bindRoute(app, contract.updateSavedView, async ({ params, body, actor }) =>
    presentView(await changeView(context, { actor, id: params.id, changes: body })),
  );
  bindRoute(app, contract.deleteSavedView, async ({ params, actor }) => {
    await removeView(context, { actor, id: params.id });
    return { message: "The view was deleted." };
  });
  bindRoute(app, contract.orderSavedViews, async ({ body, actor }) => {
    await orderViews(context, { ...body, actor });
    return (await listViews(db, { page: body.page, userId: actor.userId })).map(presentView);
  });
}
