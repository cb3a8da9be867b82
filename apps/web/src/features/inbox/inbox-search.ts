/** The inbox as it stands in the address. */
export interface InboxSearch {
  /** The entry that is open. */
  readonly entry?: string | undefined;
  /** An administrator's: what waits for everyone. */
  readonly of?: "everyone" | undefined;
}

/** Reads the address (the router's `validateSearch`); what it does not know is left out. */
export function parseInboxSearch(search: Record<string, unknown>): InboxSearch {
  const entry = typeof search.entry === "string" && search.entry.length <= 60 ? search.entry : undefined;
  return { entry, of: search.of === "everyone" ? "everyone" : undefined };
}
