import type { ListPage } from "@portal/contract/entities/lead-list";
import type { CurrentUser, ListSetting } from "@portal/contract/entities/user";
import { updateInterfaceSettings } from "@portal/contract/routes/account";
import { getCurrentUser } from "@portal/contract/routes/auth";
import { useQueryClient } from "@tanstack/react-query";
import { callRoute } from "./api.ts";
import { useListSetting } from "./list-address.ts";

/** Returns a function that changes a user's setting of a list: at once in this page, and in the account for all browsers. */
export function useChangeListSetting(page: ListPage): (next: ListSetting) => void {
  const client = useQueryClient();
  const setting = useListSetting(page);
  return (next) => {
    const kept = { ...setting, ...next };
    client.setQueryData<CurrentUser | null>(
      [getCurrentUser.path],
      (known) => known && { ...known, lists: { ...known.lists, [page]: kept } },
    );
    // If it cannot be saved it applies until the page is closed.
    void callRoute(updateInterfaceSettings, { body: { lists: { [page]: kept } } }).catch(() => undefined);
  };
}
