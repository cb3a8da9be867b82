import { z } from "zod";
import { idSchema, pageQuerySchema, text } from "../entities/fields.ts";
import { inboxEntryIdSchema, inboxEntrySchema } from "../entities/inbox.ts";
import { defineRoute } from "../route.ts";

/** `everyone`: entries of all leads; administrators only. */
const scopeFields = { of: z.enum(["mine", "everyone", ""]).optional() };

const entryParams = z.object({ id: inboxEntryIdSchema });

/** The count is exact up to this number; beyond it the page says that there are more. */
export const inboxCountCap = 1_000;

/**
 * People who wait for a response, newest first by their latest item: unread SMS, missed calls and voicemails of the user's leads and of
 * unknown numbers; for administrators also those of unassigned leads, or everyone's. STOP, START and HELP are not listed. Errors:
 * `forbidden` (`of=everyone` by a consultant).
 */
export const listInbox = defineRoute({
  method: "GET",
  path: "/api/inbox",
  summary: "Inbox: unread SMS messages and missed calls",
  query: pageQuerySchema.extend(scopeFields),
  response: z.array(inboxEntrySchema),
});

/** Number of entries in the list of the same scope, counted up to `inboxCountCap`. Errors: see `listInbox`. */
export const countInbox = defineRoute({
  method: "GET",
  path: "/api/inbox/count",
  summary: "Number of inbox items",
  query: z.object(scopeFields),
  response: z.object({ count: z.number(), isMore: z.boolean() }),
});

const changed = z.object({ texts: z.array(z.number()), calls: z.array(z.number()) });

/**
 * Marks an entry done, up to the SMS and the call that the user saw; items already done stay done. Returns the ids that it marked. Errors:
 * `not_found`, `not_your_lead`.
 */
export const settleInboxEntry = defineRoute({
  method: "POST",
  path: "/api/inbox/:id/done",
  summary: "Mark an inbox item as done",
  params: entryParams,
  body: z.strictObject({ lastTextId: idSchema.nullable(), lastCallId: idSchema.nullable() }),
  response: changed,
});

const ids = z.array(idSchema).max(1_000);

/** Reopens SMS and calls of an entry. Errors: `not_found`, `not_your_lead`. */
export const reopenInboxEntry = defineRoute({
  method: "POST",
  path: "/api/inbox/:id/reopen",
  summary: "Reopen an inbox item",
  params: entryParams,
  body: z.strictObject({ texts: ids, calls: ids }),
  response: changed,
});

/**
 * Assigns everything from an unknown number to a lead: SMS, calls and recordings. Returns the counts. Errors: `not_found`, `not_your_lead`.
 */
export const attachNumber = defineRoute({
  method: "POST",
  path: "/api/inbox/attach",
  summary: "Assign the SMS messages and calls of a number to a lead",
  body: z.strictObject({ number: text(40), leadId: idSchema }),
  response: z.object({ texts: z.number(), calls: z.number() }),
});
