import { notifyManager, type Query, useQueryClient } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useCallback, useSyncExternalStore } from "react";
import { useRelativeTime } from "../lib/clock.tsx";
import { cn } from "../lib/cn.ts";
import { type Connection, lostAt, useConnection } from "../lib/connection.ts";
import { useRootMark } from "../lib/document.ts";
import { defineMessages, useMessages } from "../lib/i18n.ts";
import { page } from "../lib/navigation.ts";
import { useStore } from "../lib/store.ts";
import { Button } from "./button.tsx";

/** Data that is known to be out of date, or whose reload failed, has the time of its own response. */
const sinceOf = ({ state }: Query, lost: number) =>
  state.isInvalidated || state.status === "error" ? state.dataUpdatedAt : lost;

/**
 * Since when the data on screen may be outdated while disconnected, by the browser's clock in ms: everything was up to date until the
 * connection was lost. Null while connected.
 */
function useShownSince(): number | null {
  const cache = useQueryClient().getQueryCache();
  const lost = useStore(lostAt);
  const subscribe = useCallback(
    (onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)),
    [cache],
  );
  return useSyncExternalStore(subscribe, () => {
    if (lost === null) return null;
    const shown = cache.findAll({ type: "active" }).filter(({ state }) => state.data !== undefined);
    return Math.min(lost, ...shown.map((query) => sinceOf(query, lost)));
  });
}

const connectionMessages = defineMessages("connection", {
  offline: [
    "No network. What you open comes when it is back.",
    "Sin conexión. Lo que abras aparecerá cuando vuelva.",
  ],
  unreachable: [
    "The server does not answer. What you open comes when it does.",
    "El servidor no responde. Lo que abras aparecerá cuando responda.",
  ],
  offlineShort: ["No network.", "Sin conexión."],
  unreachableShort: ["No answer.", "Sin respuesta."],
  shownSince: ["Last updated {when}", "Actualizado {when}"],
  outdated: ["A part of Lead Desk could not be loaded.", "No se pudo cargar una parte de Lead Desk."],
  reload: ["Reload", "Recargar"],
});

type Words = Exclude<Connection, "up"> | "offlineShort" | "unreachableShort";

function wordsOf(connection: Exclude<Connection, "up">, isNarrow: boolean): Words {
  if (!isNarrow || connection === "outdated") return connection;
  return connection === "offline" ? "offlineShort" : "unreachableShort";
}

interface ConnectionStatusProps {
  isSpanish?: boolean;
  /** Also shows the age of the data. */
  withAge?: boolean;
  /** Uses the shortest texts. */
  isNarrow?: boolean;
}

/** The age of the data. Outside of the live region, because it changes every minute and should not be announced each time. */
function ShownSince({ isNarrow }: { isNarrow: boolean }) {
  const t = useMessages(connectionMessages);
  const since = useShownSince();
  const when = useRelativeTime(since === null ? null : new Date(since).toISOString());
  if (since === null) return null;
  const words = t("shownSince", { when });
  return (
    <span className="font-normal" title={words}>
      {isNarrow ? when : words}
    </span>
  );
}

/**
 * One line in the top bar that describes a connection problem; empty otherwise. The bar's height is fixed, so that no button moves when the
 * line appears.
 */
export function ConnectionStatus({
  isSpanish = false,
  withAge = false,
  isNarrow = false,
}: ConnectionStatusProps) {
  const chosen = useMessages(connectionMessages);
  // Some screens are always in Spanish.
  const t = (key: Exclude<keyof typeof connectionMessages.pairs, "shownSince">) =>
    isSpanish ? connectionMessages.pairs[key][1] : chosen(key);
  const connection = useConnection();
  useRootMark("isUnconnected", connection !== "up");
  return (
    <div
      className={cn(
        "flex min-w-0 items-center gap-2 font-medium text-warning-text text-xs leading-4",
        connection !== "up" && "rounded-md bg-warning-soft px-2.5 py-1",
      )}
    >
      {connection === "up" || isNarrow ? null : <CloudOff aria-hidden className="size-4 shrink-0" />}
      <div className="grid min-w-0">
        {/* Marked as a live region, so that an open dialog does not hide it from screen readers. */}
        <div role="status" aria-live="polite" className="flex min-w-0 items-center gap-2">
          {connection === "up" ? null : t(wordsOf(connection, isNarrow))}
          {connection === "outdated" ? (
            <Button variant="secondary" size="sm" onClick={() => page.reload()}>
              {t("reload")}
            </Button>
          ) : null}
        </div>
        {withAge ? <ShownSince isNarrow={isNarrow} /> : null}
      </div>
    </div>
  );
}
