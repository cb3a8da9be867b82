import { z } from "zod";
import { callDirections, loggedOutcomes } from "../entities/call.ts";
import { text } from "../entities/fields.ts";
import { leadStatuses } from "../entities/lead.ts";
import { messageDirections } from "../entities/message.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/** Search results of one kind. */
const group = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    /** Number of matches, counted up to 50. */
    count: z.number(),
    /** Whether there are more matches than `count`. */
    isMore: z.boolean(),
    /** Whether the search of this kind was stopped early because it took too long. */
    isCut: z.boolean(),
  });

/** The lead a result belongs to, and whether it is the user's own. */
const ofLead = { leadId: z.number(), leadName: z.string(), isOwn: z.boolean() };
/** Text around the match. */
const excerpt = z.string();
const at = z.string();

const foundLeadSchema = z.object({
  id: z.number(),
  name: z.string(),
  company: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  status: z.enum(leadStatuses),
  isOwn: z.boolean(),
  salesRepName: z.string().nullable(),
});
export type FoundLead = z.infer<typeof foundLeadSchema>;

/**
 * Finds everything that contains the typed words, ignoring case, accents and number formats. Leads: the user's own first, then all others
 * as on All Leads; notes likewise. SMS and calls: those the user sent, made or answered and those with the user's leads; for
 * administrators, everyone's. Fewer than two letters or digits find nothing. With `similar`, finds similar spellings instead, most similar
 * first; this takes longer and is useful if `hasFew` is true.
 */
export const searchEverything = defineRoute({
  method: "GET",
  path: "/api/search",
  summary: "Search leads, notes, SMS messages and calls",
  query: z.object({
    q: text(limits.searchMaxLength).default(""),
    similar: z.enum(["true", "false"]).default("false"),
    /** Maximum number of results per kind. */
    limit: z.coerce.number().int().min(1).max(20).default(6),
  }),
  response: z.object({
    /** Few results were found, and at least one word is long enough for a similarity search. */
    hasFew: z.boolean(),
    leads: group(foundLeadSchema),
    notes: group(z.object({ ...ofLead, excerpt })),
    texts: group(z.object({ ...ofLead, id: z.number(), direction: z.enum(messageDirections), at, excerpt })),
    calls: group(
      z.object({
        ...ofLead,
        id: z.number(),
        direction: z.enum(callDirections),
        outcome: z.enum(loggedOutcomes).nullable(),
        at,
        excerpt,
      }),
    ),
  }),
});
