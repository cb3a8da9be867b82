import type { ListPage } from "@portal/contract/entities/lead-list";
import type { ListSetting } from "@portal/contract/entities/user";
import { useQuery } from "@tanstack/react-query";
import { currentUserQuery } from "./query-client.ts";

/** The columns in a list's address, separated by commas; undefined if invalid. */
export const parseColumns = (value: unknown): string | undefined =>
  typeof value === "string" && /^[a-zA-Z]+(,[a-zA-Z]+)*$/.test(value) ? value : undefined;

/** A list's query and columns as a query string without the question mark. */
export const listAddress = (query: object, columns: string | undefined): string =>
  new URLSearchParams(
    Object.entries({ ...query, columns }).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)]],
    ),
  ).toString();

/** The user's setting of a list. */
export function useListSetting(page: ListPage): ListSetting {
  const { data: user } = useQuery(currentUserQuery());
  return user?.lists[page] ?? {};
}

/** A list's columns in order, separated by commas: those of the address, else of the user's setting, else the default ones. */
export function useListColumns(
  page: ListPage,
  { inAddress, first }: { inAddress: string | undefined; first: readonly string[] },
): string {
  const { columns } = useListSetting(page);
  return inAddress ?? (columns ?? first).join(",");
}

/** Whether an address value is an existing day, 2026-11-20. */
export function isDay(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const at = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
}

/** A list's address without filters; order and columns stay. */
export const withoutFilters = <F extends { sort?: unknown; columns?: unknown }>({
  sort,
  columns,
}: F): Pick<F, "sort" | "columns"> => ({ sort, columns });
