import { z } from "zod";
import { idSchema, pageQuerySchema, text } from "../entities/fields.ts";
import { inboxEntryIdSchema, inboxEntrySchema } from "../entities/inbox.ts";
import { defineRoute } from "../route.ts";

/** `everyone`: of all leads; for administrators only. */
const scopeFields = { of: z.enum(["mine", "everyone", ""]).optional() };

const entryParams = z.object({ id: inboxEntryIdSchema });

/** The count is exact up to here; beyond it the page says that there are more. */
export const inboxCountCap = 1_000;

/**
 * Who waits for an answer, by the newest of what came, newest first: unread texts, and missed calls and voicemails that nobody answered, of
 * one's own leads and of those who are no lead; for administrators of the leads of nobody too, or of everyone's. STOP, START and HELP wait for nobody.
 * Errors: `forbidden` (`of=everyone` by a consultant).
 */
export const listInbox = defineRoute({
  method: "GET",
  path: "/api/inbox",
  summary: "Who waits for an answer",
  query: pageQuerySchema.extend(scopeFields),
  response: z.array(inboxEntrySchema),
});

/** How many entries the list of the same scope has, counted up to `inboxCountCap`. Errors as the list's. */
export const countInbox = defineRoute({
  method: "GET",
  path: "/api/inbox/count",
  summary: "How many wait for an answer",
  query: z.object(scopeFields),
  response: z.object({ count: z.number(), isMore: z.boolean() }),
});

const changed = z.object({ texts: z.array(z.number()), calls: z.array(z.number()) });

/**
 * Takes an entry off the inbox, up to the text and the call that were seen; what is done already stays. Answers the ids that it marked.
 * Errors: `not_found`, `not_your_lead`.
 */
export const settleInboxEntry = defineRoute({
  method: "POST",
  path: "/api/inbox/:id/done",
  summary: "Take somebody off the inbox",
  params: entryParams,
  body: z.strictObject({ lastTextId: idSchema.nullable(), lastCallId: idSchema.nullable() }),
  response: changed,
});

const ids = z.array(idSchema).max(1_000);

/** Puts texts and calls of an entry back on the inbox. Errors: `not_found`, `not_your_lead`. */
export const reopenInboxEntry = defineRoute({
  method: "POST",
  path: "/api/inbox/:id/reopen",
  summary: "Put somebody back on the inbox",
  params: entryParams,
  body: z.strictObject({ texts: ids, calls: ids }),
  response: changed,
});

/** Gives everything that came from a number of nobody to a lead: texts, calls, recordings; answers how many. Errors: `not_found`, `not_your_lead`. */
export const attachNumber = defineRoute({
  method: "POST",
  path: "/api/inbox/attach",
  summary: "Give what came from a number to a lead",
  body: z.strictObject({ number: text(40), leadId: idSchema }),
  response: z.object({ texts: z.number(), calls: z.number() }),
});
