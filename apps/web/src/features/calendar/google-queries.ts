import { disconnectGoogle, getGoogleAuth, syncGoogle } from "@portal/contract/routes/meetings";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { textOf } from "../../lib/i18n.ts";
import { page } from "../../lib/navigation.ts";
import { invalidatePaths } from "../../lib/query-client.ts";
import { recordedText } from "../../lib/recorded-text.ts";
import { toast } from "../../ui/toast.ts";
import { googleTexts } from "./google-texts.ts";

const paths = ["/api/google", "/api/calendar"];

function tellFailure(error: unknown, title: "connectFailed" | "disconnectFailed" | "syncFailed"): void {
  const t = textOf(googleTexts);
  toast({ title: t(title), description: recordedText(error, t("tryAgain")), tone: "destructive" });
}

/** Asks where to consent and takes the browser there. */
export function useConnectGoogle() {
  return useMutation({
    mutationFn: () => callRoute(getGoogleAuth),
    onSuccess: ({ authUrl }) => page.go(authUrl),
    onError: (error) => tellFailure(error, "connectFailed"),
  });
}

export function useDisconnectGoogle() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(disconnectGoogle),
    onSuccess: () => {
      const t = textOf(googleTexts);
      toast({ title: t("disconnectedTitle"), description: t("disconnectedText"), tone: "success" });
    },
    onError: (error) => tellFailure(error, "disconnectFailed"),
    onSettled: () => invalidatePaths(client, paths),
  });
}

/** Sends and takes in what changed, now. */
export function useSyncGoogle() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(syncGoogle),
    onError: (error) => tellFailure(error, "syncFailed"),
    onSettled: () => invalidatePaths(client, paths),
  });
}
