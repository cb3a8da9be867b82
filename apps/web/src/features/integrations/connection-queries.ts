import {
  type CrmConnection,
  type InstallResult,
  installResults,
} from "@portal/contract/entities/crm-connection";
import {
  beginCrmInstall,
  confirmCrmInstall,
  datePrivateToken,
  forgetCrmConnection,
  getCrmConnection,
  readCrmInstall,
} from "@portal/contract/routes/crm-connection";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { page } from "../../lib/navigation.ts";
import { invalidatePaths, routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { connectionMessages } from "./connection-messages.ts";

const paths = [getCrmConnection.path, "/api/ghl/status"];

/** The connection to GHL; live. */
export function connectionQuery() {
  return { ...routeQuery(getCrmConnection), staleTime: 0 };
}

function showFailure(error: unknown): void {
  const t = messagesOf(connectionMessages);
  toast({ title: t("failedTitle"), description: errorText(error), error, tone: "destructive" });
}

/** Shows how an installation ended. */
export function showInstallResult(result: string): void {
  const t = messagesOf(connectionMessages);
  const known = installResults.find((each) => each === result) ?? "failed";
  if (known === "connected")
    toast({ title: t("connectedTitle"), description: t("connectedText"), tone: "success" });
  else
    toast({
      title: t("failedTitle"),
      description: t(known satisfies Exclude<InstallResult, "connected">),
      tone: "destructive",
    });
}

/** Fetches the installation's address and opens it. */
export function useInstallApp() {
  return useMutation({
    mutationFn: () => callRoute(beginCrmInstall),
    onSuccess: ({ installUrl }) => page.go(installUrl),
    onError: showFailure,
  });
}

/** Reads an installation that was started in GHL; errors are shown. */
export function useReadInstall() {
  return useMutation({
    mutationFn: (code: string) => callRoute(readCrmInstall, { body: { code } }),
    onSuccess: ({ result }) => {
      if (result !== "found") showInstallResult(result);
    },
    onError: showFailure,
  });
}

/** Confirms the installation. */
export function useConfirmInstall() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (held: string) => callRoute(confirmCrmInstall, { body: { held } }),
    onSuccess: () => showInstallResult("connected"),
    onError: showFailure,
    onSettled: () => invalidatePaths(client, paths),
  });
}

export function useForgetConnection() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (): Promise<CrmConnection> => callRoute(forgetCrmConnection),
    onError: showFailure,
    onSettled: () => invalidatePaths(client, paths),
  });
}

/** Saves the day on which the private token was created. */
export function useDatePrivateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (day: string) =>
      callRoute(datePrivateToken, { body: { since: new Date(`${day}T00:00`).toISOString() } }),
    onError: (error) =>
      toast({
        title: messagesOf(connectionMessages)("dateFailed"),
        description: errorText(error),
        error,
        tone: "destructive",
      }),
    onSettled: () => invalidatePaths(client, paths),
  });
}
