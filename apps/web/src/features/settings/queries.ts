import { updateCallSettings, updateInterfaceSettings, updateProfile } from "@portal/contract/routes/account";
import { getCurrentUser } from "@portal/contract/routes/auth";
import { getDialer } from "@portal/contract/routes/dialer";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { type Language, setLanguage, textOf } from "../../lib/i18n.ts";
import { invalidatePaths } from "../../lib/query-client.ts";
import { setTheme, type Theme } from "../../lib/theme.ts";
import { toast } from "../../ui/toast.ts";
import { settingsTexts } from "./texts.ts";

/** Saves the number that is rung first, and tells how it went. */
export function useSavePhone() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (personalPhoneNumber: string) => callRoute(updateProfile, { body: { personalPhoneNumber } }),
    onSuccess: async (user) => {
      const t = textOf(settingsTexts);
      toast({ title: t("phoneSavedTitle"), description: t("phoneSavedText"), tone: "success" });
      client.setQueryData([getCurrentUser.path], user);
      await invalidatePaths(client, [getCurrentUser.path]);
    },
    onError: (error) => {
      const t = textOf(settingsTexts);
      toast({
        title: t("phoneFailedTitle"),
        description: errorText(error, t("phoneFailedText")),
        tone: "destructive",
      });
    },
  });
}

/** Saves theme and language with the account; only then are they applied and kept in this browser (specification §4). */
export function useSaveInterface() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { theme: Theme; language: Language }) => callRoute(updateInterfaceSettings, { body }),
    onSuccess: async ({ theme, language }) => {
      setTheme(theme);
      setLanguage(language);
      const t = textOf(settingsTexts);
      toast({ title: t("interfaceSavedTitle"), description: t("interfaceSavedText"), tone: "success" });
      await invalidatePaths(client, [getCurrentUser.path]);
    },
    onError: (error) => {
      const t = textOf(settingsTexts);
      toast({
        title: t("interfaceFailedTitle"),
        description: errorText(error, t("interfaceFailedText")),
        tone: "destructive",
      });
    },
  });
}

/** Saves the call settings; a calling session under way follows them. */
export function useSaveCallSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { autoDial: boolean }) => callRoute(updateCallSettings, { body }),
    onSuccess: async () => {
      const t = textOf(settingsTexts);
      toast({ title: t("callsSavedTitle"), description: t("callsSavedText"), tone: "success" });
      await invalidatePaths(client, [getCurrentUser.path, getDialer.path]);
    },
    onError: (error) => {
      const t = textOf(settingsTexts);
      toast({
        title: t("callsFailedTitle"),
        description: errorText(error, t("callsFailedText")),
        tone: "destructive",
      });
    },
  });
}
