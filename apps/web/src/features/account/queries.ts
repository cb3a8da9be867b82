import { changePassword, updateProfile } from "@portal/contract/routes/account";
import { getCurrentUser } from "@portal/contract/routes/auth";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, callRoute } from "../../lib/api.ts";
import { textOf } from "../../lib/i18n.ts";
import { invalidatePaths } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import type { ProfileValues } from "./profile-changes.ts";
import { accountTexts } from "./texts.ts";

/** Saves the changed fields of the profile, refreshes the current user and tells how it went. */
export function useUpdateProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: Partial<ProfileValues>) => callRoute(updateProfile, { body: changes }),
    onSuccess: async (user) => {
      const t = textOf(accountTexts);
      toast({ title: t("profileUpdatedTitle"), description: t("profileUpdatedText"), tone: "success" });
      client.setQueryData([getCurrentUser.path], user);
      await invalidatePaths(client, [getCurrentUser.path]);
    },
    onError: () => {
      const t = textOf(accountTexts);
      toast({ title: t("errorTitle"), description: t("profileFailed"), tone: "destructive" });
    },
  });
}

interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

/** Changes the password and tells how it went. */
export function useChangePassword() {
  return useMutation({
    mutationFn: (body: PasswordChange) => callRoute(changePassword, { body }),
    onSuccess: () => {
      const t = textOf(accountTexts);
      toast({ title: t("passwordChangedTitle"), description: t("passwordChangedText"), tone: "success" });
    },
    onError: () => {
      const t = textOf(accountTexts);
      toast({ title: t("errorTitle"), description: t("passwordFailed"), tone: "destructive" });
    },
  });
}

/** The server's code of a failed request, for the field it belongs to. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.code : undefined;
}
