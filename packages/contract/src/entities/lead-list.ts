/**
 * Filters and sort orders of lead lists, besides search, status and priority. Plain values, because the first page reads them from its URL.
 */

/** Number of attempts to reach the lead by phone: none, one, two, three or more. */
export const attemptFilters = ["none", "one", "two", "more"] as const;
export type AttemptFilter = (typeof attemptFilters)[number];

/** When the lead was last contacted, in days of the organization: never, since the start of a range, or before the last 30 days. */
export const lastContactFilters = ["never", "today", "week", "month", "older"] as const;
export type LastContactFilter = (typeof lastContactFilters)[number];

/** Leads with a follow-up (clients excluded), those of one follow-up group, or leads without one. */
export const followUpFilters = ["any", "overdue", "today", "week", "later", "none"] as const;
export type FollowUpFilter = (typeof followUpFilters)[number];

/** Hours in the lead's local time: 8 to 20 h, 8 to 12 h, 12 to 17 h, 17 to 21 h. Leads with an unknown zone match none. */
export const localTimeFilters = ["day", "morning", "afternoon", "evening"] as const;
export type LocalTimeFilter = (typeof localTimeFilters)[number];

/** The lead's language: the confirmed one, otherwise the one guessed from their SMS; `unknown` without either. */
export const languageFilters = ["en", "es", "unknown"] as const;
export type LanguageFilter = (typeof languageFilters)[number];

/**
 * Sort orders of a list. `attempt`: leads without an attempt first, then by oldest last attempt. `attempt_desc`: most recent attempt first.
 * `follow_up`: next follow-up first, leads without one last.
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

/** Lists with two layouts and saved views. */
export const listPages = ["leads", "all-leads", "contacts", "call-history"] as const;
export type ListPage = (typeof listPages)[number];

/** The recorded layout, or rows of one line each. */
export const listLayouts = ["recorded", "rows"] as const;
export type ListLayout = (typeof listLayouts)[number];
