import type { GoogleStatus } from "@portal/contract/entities/meeting";
import { disconnectGoogle, getGoogleAuth, syncGoogle } from "@portal/contract/routes/meetings";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { callRoute } from "../../../lib/api.ts";
import { useRelativeTime } from "../../../lib/clock.tsx";
import { cn } from "../../../lib/cn.ts";
import { recordedText } from "../../../lib/errors.ts";
import { messagesOf, useMessages } from "../../../lib/i18n.ts";
import { page } from "../../../lib/navigation.ts";
import { invalidatePaths } from "../../../lib/query-client.ts";
import { AlertDialog } from "../../../ui/alert-dialog.tsx";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { toast } from "../../../ui/toast.ts";
import { googleMessages } from "../messages.ts";
import { googleStatusQuery } from "../queries.ts";

/** Interval for updating the time of the last sync. */
const refreshMs = 60_000;

const badges = {
  off: ["neutral", "badgeOff"],
  never_connected: ["neutral", "notConnected"],
  connected: ["success", "connected"],
  disconnected: ["danger", "badgeDisconnected"],
} as const satisfies Record<GoogleStatus["state"], [BadgeTone, string]>;

/** The connection to Google Calendar: its state, and buttons to connect, sync and disconnect. */
export function GoogleCard() {
  const t = useMessages(googleMessages);
  const titleId = useId();
  const {
    data: status,
    isError,
    refetch,
  } = useQuery({
    ...googleStatusQuery(),
    staleTime: 0,
    refetchInterval: refreshMs,
  });
  useEffect(showGoogleResult, []);
  const [tone, label] = badges[status?.state ?? "off"];

  return (
    <Card
      aria-labelledby={titleId}
      className={cn(
        "flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 sm:px-6",
        // Room for the state and its buttons, which are below each other on a phone.
        !status && !isError && "max-sm:min-h-44.5 max-sm:content-start",
      )}
    >
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <h2 id={titleId} className="font-semibold text-base leading-6">
            {t("title")}
          </h2>
          {status ? <Badge tone={tone}>{t(label)}</Badge> : null}
        </div>
        <div className="grid gap-0.5 text-muted-foreground text-sm" aria-live="polite">
          {status ? <Standing status={status} /> : <p>{isError ? t("loadFailed") : t("loading")}</p>}
        </div>
      </div>
      {status ? <Actions status={status} /> : null}
      {isError && !status ? (
        <Button variant="secondary" onClick={() => void refetch()}>
          {t("retry")}
        </Button>
      ) : null}
    </Card>
  );
}

/** The connection's state as text. */
function Standing({ status }: { status: GoogleStatus }) {
  const t = useMessages(googleMessages);
  const { state, email, lastSyncedAt, pending, waitsFor } = status;
  const when = useRelativeTime(lastSyncedAt);
  return (
    <>
      {state === "off" ? <p>{t("off")}</p> : null}
      {state === "never_connected" ? <p>{t("neverConnected")}</p> : null}
      {state === "disconnected" ? <p className="text-danger-text">{t("disconnected")}</p> : null}
      {state === "connected" ? (
        <>
          {email ? <p className="break-words text-foreground">{t("connectedAs", { email })}</p> : null}
          <p>{lastSyncedAt ? t("lastSync", { when }) : t("firstSync")}</p>
        </>
      ) : null}
      {waitsFor ? <p className="text-warning-text">{t(waitsFor)}</p> : null}
      {state !== "off" && pending > 0 ? <p>{t("pending", { count: pending })}</p> : null}
    </>
  );
}

function Actions({ status: { state } }: { status: GoogleStatus }) {
  const t = useMessages(googleMessages);
  const connect = useConnectGoogle();
  const disconnect = useDisconnectGoogle();
  const sync = useSyncGoogle();
  const [asks, setAsks] = useState(false);
  if (state === "off") return null;
  // The browser is leaving for Google, so the button stays busy.
  const leaving = connect.isPending || connect.isSuccess;
  return (
    <div className="flex flex-wrap gap-2">
      {state === "connected" ? (
        <Button variant="secondary" pending={sync.isPending} onClick={() => sync.mutate()}>
          <RefreshCw aria-hidden />
          {t(sync.isPending ? "syncing" : "sync")}
        </Button>
      ) : (
        <Button variant="secondary" pending={leaving} onClick={() => connect.mutate()}>
          {t(leaving ? "connecting" : state === "disconnected" ? "connectAgain" : "connect")}
        </Button>
      )}
      {state === "never_connected" ? null : (
        <Button variant="secondary" onClick={() => setAsks(true)}>
          {t("disconnect")}
        </Button>
      )}
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t("disconnectTitle")}
        description={t("disconnectQuestion")}
        cancelLabel={t("cancel")}
        confirmLabel={t(disconnect.isPending ? "disconnecting" : "disconnect")}
        destructive
        pending={disconnect.isPending}
        onConfirm={() => disconnect.mutate(undefined, { onSettled: () => setAsks(false) })}
      />
    </div>
  );
}

const paths = ["/api/google", "/api/calendar"];

function showFailure(error: unknown, title: "connectFailed" | "disconnectFailed" | "syncFailed"): void {
  const t = messagesOf(googleMessages);
  toast({ title: t(title), description: recordedText(error, t("tryAgain")), error, tone: "destructive" });
}

/** Fetches the address of the consent page and opens it. */
function useConnectGoogle() {
  return useMutation({
    mutationFn: () => callRoute(getGoogleAuth),
    onSuccess: ({ authUrl }) => page.go(authUrl),
    onError: (error) => showFailure(error, "connectFailed"),
  });
}

function useDisconnectGoogle() {
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

/** Syncs with Google now. */
function useSyncGoogle() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(syncGoogle),
    onError: (error) => showFailure(error, "syncFailed"),
    onSettled: () => invalidatePaths(client, paths),
  });
}

const failures = { denied: "denied", "signed-out": "signedOut" } as const;

/** Shows the result of a consent from the address, and removes it there. */
function showGoogleResult(): void {
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
