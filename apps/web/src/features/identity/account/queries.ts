import type { CurrentUser } from "@portal/contract/entities/user";
import { changePassword, updateProfile } from "@portal/contract/routes/account";
import { getCurrentUser } from "@portal/contract/routes/auth";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, callRoute } from "../../../lib/api.ts";
import { messagesOf } from "../../../lib/i18n.ts";
import { invalidatePaths } from "../../../lib/query-client.ts";
import { toast } from "../../../ui/toast.ts";
import { accountMessages } from "./messages.ts";

/** Saves the changed fields of the profile, updates the current user, and shows a toast. */
export function useUpdateProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: Partial<ProfileValues>) => callRoute(updateProfile, { body: changes }),
    onSuccess: async (user) => {
      const t = messagesOf(accountMessages);
      toast({ title: t("profileUpdatedTitle"), description: t("profileUpdatedText"), tone: "success" });
      client.setQueryData([getCurrentUser.path], user);
      await invalidatePaths(client, [getCurrentUser.path]);
    },
    onError: (error) => {
      const t = messagesOf(accountMessages);
      toast({ title: t("errorTitle"), description: t("profileFailed"), error, tone: "destructive" });
    },
  });
}

interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

/** Changes the password, and shows a toast. */
export function useChangePassword() {
  return useMutation({
    mutationFn: (body: PasswordChange) => callRoute(changePassword, { body }),
    onSuccess: () => {
      const t = messagesOf(accountMessages);
      toast({ title: t("passwordChangedTitle"), description: t("passwordChangedText"), tone: "success" });
    },
    onError: (error) => {
      const t = messagesOf(accountMessages);
      toast({ title: t("errorTitle"), description: t("passwordFailed"), error, tone: "destructive" });
    },
  });
}

/** The error code of a failed request, to find its field. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.code : undefined;
}

interface ProfileValues {
  name: string;
  email: string;
  personalPhoneNumber: string;
  /** Address of the picture, or a data URL of a newly chosen one; null for none. */
  profileImage: string | null;
}

/** The modal's fields for a user. */
export function profileOf(user: CurrentUser): ProfileValues {
  const { name, email, personalPhoneNumber, profileImage } = user;
  return { name, email, personalPhoneNumber: personalPhoneNumber ?? "", profileImage };
}

/**
 * The fields to send: only changed ones; name and email only if not blank, the phone and the picture also if removed. Null if there are
 * none.
 */
export function profileChanges(
  user: CurrentUser,
  values: Partial<ProfileValues>,
): Partial<ProfileValues> | null {
  const before = profileOf(user);
  const changes: Partial<ProfileValues> = {};
  for (const field of ["name", "email", "personalPhoneNumber"] as const) {
    const value = (values[field] ?? before[field]).trim();
    if (value === before[field].trim()) continue;
    if (value !== "" || field === "personalPhoneNumber") changes[field] = value;
  }
  if (values.profileImage !== undefined && values.profileImage !== before.profileImage)
    changes.profileImage = values.profileImage;
  return Object.keys(changes).length === 0 ? null : changes;
}
