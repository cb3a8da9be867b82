import type { ListPage } from "@portal/contract/entities/lead-list";
import type { ListSetting } from "@portal/contract/entities/user";
import { useQuery } from "@tanstack/react-query";
import { currentUserQuery } from "./query-client.ts";

/** The columns of a list as an address holds them: words with commas between. */
export const parseColumns = (value: unknown): string | undefined =>
  typeof value === "string" && /^[a-zA-Z]+(,[a-zA-Z]+)*$/.test(value) ? value : undefined;

/** The address of a list's query and columns, without the question mark. */
export const listAddress = (query: object, columns: string | undefined): string =>
  new URLSearchParams(
    Object.entries({ ...query, columns }).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)]],
    ),
  ).toString();

/** How this person looks at a list. */
export function useListSetting(page: ListPage): ListSetting {
  const { data: user } = useQuery(currentUserQuery());
  return user?.lists[page] ?? {};
}

/** The columns of a list's rows in order, with commas between: those of the address, those this person chose, or those it begins with. */
export function useListColumns(
  page: ListPage,
  { inAddress, first }: { inAddress: string | undefined; first: readonly string[] },
): string {
  const { columns } = useListSetting(page);
  return inAddress ?? (columns ?? first).join(",");
}

/** Whether a value of the address is a day, 2026-11-20; no 31st of a month that has none. */
export function isDay(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const at = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
}

/** A list's address without what narrows the list: order and columns stay. */
export const withoutFilters = <F extends { sort?: unknown; columns?: unknown }>({
  sort,
  columns,
}: F): Pick<F, "sort" | "columns"> => ({ sort, columns });
