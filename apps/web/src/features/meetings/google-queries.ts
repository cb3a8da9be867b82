import { disconnectGoogle, getGoogleAuth, syncGoogle } from "@portal/contract/routes/meetings";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { recordedText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { page } from "../../lib/navigation.ts";
import { invalidatePaths } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { googleMessages } from "./messages.ts";

const paths = ["/api/google", "/api/calendar"];

function showFailure(error: unknown, title: "connectFailed" | "disconnectFailed" | "syncFailed"): void {
  const t = messagesOf(googleMessages);
  toast({ title: t(title), description: recordedText(error, t("tryAgain")), error, tone: "destructive" });
}

/** Asks where to consent and takes the browser there. */
export function useConnectGoogle() {
  return useMutation({
    mutationFn: () => callRoute(getGoogleAuth),
    onSuccess: ({ authUrl }) => page.go(authUrl),
    onError: (error) => showFailure(error, "connectFailed"),
  });
}

export function useDisconnectGoogle() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(disconnectGoogle),
    onSuccess: () => {
      const t = messagesOf(googleMessages);
      toast({ title: t("disconnectedTitle"), description: t("disconnectedText"), tone: "success" });
    },
    onError: (error) => showFailure(error, "disconnectFailed"),
    onSettled: () => invalidatePaths(client, paths),
  });
}

/** Sends and takes in what changed, now. */
export function useSyncGoogle() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(syncGoogle),
    onError: (error) => showFailure(error, "syncFailed"),
    onSettled: () => invalidatePaths(client, paths),
  });
}

const failures = { denied: "denied", "signed-out": "signedOut" } as const;

/** How a consent went, out of the address that Google's answer led back to; it is shown once and removed from the address. */
export function showGoogleResult(): void {
  const address = new URL(window.location.href);
  const result = address.searchParams.get("google");
  if (result === null) return;
  address.searchParams.delete("google");
  window.history.replaceState(window.history.state, "", address);
  const t = messagesOf(googleMessages);
  if (result === "connected")
    toast({ title: t("connectedTitle"), description: t("connectedText"), tone: "success" });
  else
    toast({
      title: t("connectFailed"),
      description: t(failures[result as keyof typeof failures] ?? "failed"),
      tone: "destructive",
    });
}
