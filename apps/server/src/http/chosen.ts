/** What a filter of a query chooses: an empty value and 'all' mean none. */
export function chosen<T extends string>(value: T | "all" | "" | undefined): T | undefined {
  return value === "all" || value === "" ? undefined : value;
}
