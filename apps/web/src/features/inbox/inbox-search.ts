/** State of the inbox in the address. */
export interface InboxSearch {
  /** The open entry. */
  readonly entry?: string | undefined;
  /** For administrators: everyone's entries. */
  readonly of?: "everyone" | undefined;
}

/** Parses the address (the router's `validateSearch`); unknown values are dropped. */
export function parseInboxSearch(search: Record<string, unknown>): InboxSearch {
  const entry = typeof search.entry === "string" && search.entry.length <= 60 ? search.entry : undefined;
  return { entry, of: search.of === "everyone" ? "everyone" : undefined };
}
