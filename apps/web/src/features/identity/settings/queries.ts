import type { CallSettings, OrganisationSettings, Settings } from "@portal/contract/entities/settings";
import type { CurrentUser } from "@portal/contract/entities/user";
import {
  endOtherSessions,
  endSession,
  getSettings,
  listSessions,
  unlinkProvider,
  updateCallSettings,
  updateInterfaceSettings,
  updateProfile,
} from "@portal/contract/routes/account";
import { getOrganisationSettings, updateOrganisationSettings } from "@portal/contract/routes/admin";
import { getCurrentUser } from "@portal/contract/routes/auth";
import { getDialer } from "@portal/contract/routes/dialer";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../../lib/api.ts";
import { errorText } from "../../../lib/errors.ts";
import { type Language, messagesOf, setLanguage } from "../../../lib/i18n.ts";
import { invalidatePaths } from "../../../lib/query-client.ts";
import { setTheme, type Theme } from "../../../lib/theme.ts";
import { toast } from "../../../ui/toast.ts";
import { accountMessages } from "../account/messages.ts";
import { settingsMessages } from "./messages.ts";

/** Saves the user's own phone, and shows a toast. */
export function useSavePhone() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (personalPhoneNumber: string) => callRoute(updateProfile, { body: { personalPhoneNumber } }),
    onSuccess: async (user) => {
      const t = messagesOf(settingsMessages);
      toast({ title: t("phoneSavedTitle"), description: t("phoneSavedText"), tone: "success" });
      client.setQueryData([getCurrentUser.path], user);
      await invalidatePaths(client, [getCurrentUser.path]);
    },
    onError: (error) => {
      const t = messagesOf(settingsMessages);
      toast({
        title: t("phoneFailedTitle"),
        description: errorText(error, t("phoneFailedText")),
        error,
        tone: "destructive",
      });
    },
  });
}

/** Saves theme and language in the account, then applies and stores them in this browser. */
export function useSaveInterface() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { theme: Theme; language: Language }) => callRoute(updateInterfaceSettings, { body }),
    onSuccess: async ({ theme, language }) => {
      setTheme(theme);
      setLanguage(language);
      showSaved("interfaceSavedText");
      await invalidatePaths(client, [getCurrentUser.path]);
    },
    onError: (error) => showFailed(error, "interfaceFailedText"),
  });
}

/** Saves whether single keys work, then applies it. */
export function useSaveKeys() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (singleKeys: boolean) => callRoute(updateInterfaceSettings, { body: { singleKeys } }),
    onSuccess: async ({ singleKeys }) => {
      client.setQueryData<CurrentUser | null>(
        [getCurrentUser.path],
        (known) => known && { ...known, singleKeys },
      );
      showSaved("keysSavedText");
      await invalidatePaths(client, [getCurrentUser.path]);
    },
    onError: (error) => showFailed(error, "keysFailedText"),
  });
}

/** Saves the changed call settings; a live dialer session applies them too. */
export function useSaveCallSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<CallSettings>) => callRoute(updateCallSettings, { body }),
    onSuccess: async (calls) => {
      showSaved("callsSavedText");
      client.setQueryData<Settings>([getSettings.path], (known) => known && { ...known, calls });
      await invalidatePaths(client, [getCurrentUser.path, getDialer.path]);
    },
    onError: (error) => showFailed(error, "callsFailedText"),
  });
}

/** Saves organization settings. */
export function useSaveOrganisation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<OrganisationSettings>) => callRoute(updateOrganisationSettings, { body }),
    onSuccess: (settings) => {
      showSaved("organisationSavedText");
      client.setQueryData([getOrganisationSettings.path], settings);
    },
    onError: (error) => showFailed(error, "organisationFailedText"),
  });
}

type TextKeyOf = keyof typeof settingsMessages.pairs;

/** Shows the recorded notice that nothing has changed. */
export function showNoChanges(): void {
  const t = messagesOf(accountMessages);
  toast({ title: t("noChangesTitle"), description: t("noChangesText") });
}

export function showSaved(text: Extract<TextKeyOf, `${string}SavedText`>): void {
  const t = messagesOf(settingsMessages);
  toast({ title: t("savedTitle"), description: t(text), tone: "success" });
}

export function showFailed(error: unknown, text: Extract<TextKeyOf, `${string}FailedText`>): void {
  const t = messagesOf(settingsMessages);
  toast({ title: t("failedTitle"), description: errorText(error, t(text)), error, tone: "destructive" });
}

/** Signs out another browser of the user; one that has ended already counts as success. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callRoute(endSession, { params: { id } }),
    onSuccess: () => showSaved("sessionSavedText"),
    onError: (error) => showFailed(error, "sessionFailedText"),
    onSettled: () => invalidatePaths(client, [listSessions.path]),
  });
}

/** Unlinks the account from the login provider. */
export function useUnlinkProvider() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (currentPassword: string) => callRoute(unlinkProvider, { body: { currentPassword } }),
    onSuccess: () => showSaved("unlinkSavedText"),
    onError: (error) => showFailed(error, "unlinkFailedText"),
    onSettled: () => invalidatePaths(client, [getSettings.path, listSessions.path]),
  });
}

/** Signs out all other browsers of the user. */
export function useEndOtherSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(endOtherSessions),
    onSuccess: () => showSaved("sessionsSavedText"),
    onError: (error) => showFailed(error, "sessionFailedText"),
    onSettled: () => invalidatePaths(client, [listSessions.path]),
  });
}

/** The changed values; null without changes. */
export function changedValues<T extends object>(before: T, now: T): Partial<T> | null {
  const changed = Object.entries(now).filter(([key, value]) => before[key as keyof T] !== value);
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<T>);
}
