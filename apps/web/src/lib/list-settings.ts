import type { ListPage } from "@portal/contract/entities/lead-list";
import type { ListSetting } from "@portal/contract/entities/user";
import { useQuery } from "@tanstack/react-query";
import { currentUserQuery } from "./query-client.ts";

/** How this person looks at a list. */
export function useListSetting(page: ListPage): ListSetting {
  const { data: user } = useQuery(currentUserQuery());
  return user?.lists[page] ?? {};
}
