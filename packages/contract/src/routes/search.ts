import { z } from "zod";
import { callDirections, loggedOutcomes } from "../entities/call.ts";
import { text } from "../entities/fields.ts";
import { leadStatuses } from "../entities/lead.ts";
import { messageDirections } from "../entities/message.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/** What is found of one kind. */
const group = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    /** How many there are, counted up to 50. */
    count: z.number(),
    /** There are more than `count`. */
    isMore: z.boolean(),
    /** It was not looked through to its end: that would have taken too long. */
    isCut: z.boolean(),
  });

/** The lead that something belongs to, and whether it is one's own. */
const ofLead = { leadId: z.number(), leadName: z.string(), isOwn: z.boolean() };
/** Some words around what was found. */
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
 * What holds the words that are typed, without regard to case, accents and the format of numbers. Leads: one's own first, then all others as All Leads shows them; notes likewise. Texts and calls: those that one sent, made or
 * took and those with one's own leads, an administrator's are everyone's. Fewer than two letters or digits find nothing. With `similar` what is written almost so, the most
 * alike first; that takes longer, and is worth asking where `hasFew` says that little was found.
 */
export const searchEverything = defineRoute({
  method: "GET",
  path: "/api/search",
  summary: "Search leads, notes, texts and calls",
  query: z.object({
    q: text(limits.searchMaxLength).default(""),
    similar: z.enum(["true", "false"]).default("false"),
    /** So many of each kind. */
    limit: z.coerce.number().int().min(1).max(20).default(6),
  }),
  response: z.object({
    /** Little was found, and some word is long enough to be like another. */
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
