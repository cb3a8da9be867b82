import type { ListPage } from "@portal/contract/entities/lead-list";
import type { ListSetting } from "@portal/contract/entities/user";
import { useQuery } from "@tanstack/react-query";
import { currentUserQuery } from "./query-client.ts";

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
