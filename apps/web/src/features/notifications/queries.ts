import type { NotificationSettings, Settings } from "@portal/contract/entities/settings";
import { getSettings, updateNotificationSettings } from "@portal/contract/routes/account";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";

/** Saves which notifications the user wants; the caller shows the result. */
export function useSaveNotifications() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<NotificationSettings>) => callRoute(updateNotificationSettings, { body }),
    onSuccess: (notifications) => {
      client.setQueryData<Settings>([getSettings.path], (known) => known && { ...known, notifications });
    },
  });
}
