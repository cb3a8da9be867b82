/** What lists of leads are filtered and sorted by, beside search, status and priority. Plain values: the first page reads them from its address. */

/** Tries to reach the lead by phone (`attempts`): none, one, two, three or more. */
export const attemptFilters = ["none", "one", "two", "more"] as const;
export type AttemptFilter = (typeof attemptFilters)[number];

/** When the lead was last contacted, by the organisation's days: never, since a range began, or before the last 30 of them. */
export const lastContactFilters = ["never", "today", "week", "month", "older"] as const;
export type LastContactFilter = (typeof lastContactFilters)[number];

/** Leads with a follow-up (clients are done), those of one of its groups, or leads without one. */
export const followUpFilters = ["any", "overdue", "today", "week", "later", "none"] as const;
export type FollowUpFilter = (typeof followUpFilters)[number];

/** The hours of the lead's own clock: 8 to 20 h, 8 to 12 h, 12 to 17 h, 17 to 21 h. Leads whose zone is not known have none. */
export const localTimeFilters = ["day", "morning", "afternoon", "evening"] as const;
export type LocalTimeFilter = (typeof localTimeFilters)[number];

/** The language of the lead: the confirmed one, else the one guessed from their texts; `unknown` without either. */
export const languageFilters = ["en", "es", "unknown"] as const;
export type LanguageFilter = (typeof languageFilters)[number];

/**
 * Orders of a list. `attempt`: the last try to reach the lead, longest ago first and those never tried before them; `attempt_desc` the latest
 * first. `follow_up`: the next follow-up, soonest first, leads without one last.
 */
export const leadSorts = [
  "newest",
  "oldest",
  "name",
  "name_desc",
  "attempt",
  "attempt_desc",
  "follow_up",
] as const;
export type LeadSort = (typeof leadSorts)[number];

/** Lists that can be shown in two layouts and have saved views. */
export const listPages = ["leads", "all-leads", "contacts", "call-history"] as const;
export type ListPage = (typeof listPages)[number];

/** The layout that a list is recorded with, or rows of one line. */
export const listLayouts = ["recorded", "rows"] as const;
export type ListLayout = (typeof listLayouts)[number];
