import { CloudOff } from "lucide-react";
import { useConnection } from "../lib/connection.ts";
import { defineMessages, useMessages } from "../lib/i18n.ts";
import { page } from "../lib/navigation.ts";
import { useRootMark } from "../lib/root-mark.ts";
import { Button } from "./button.tsx";

const connectionMessages = defineMessages("connection", {
  offline: [
    "No network. What you open comes when it is back.",
    "Sin conexión. Lo que abras aparecerá cuando vuelva.",
  ],
  unreachable: [
    "The server does not answer. What you open comes when it does.",
    "El servidor no responde. Lo que abras aparecerá cuando responda.",
  ],
  outdated: ["A part of Lead Desk could not be loaded.", "No se pudo cargar una parte de Lead Desk."],
  reload: ["Reload", "Recargar"],
});

/**
 * One line in the bar at the top that says what stands between the page and the server; empty otherwise. The bar keeps its height, for
 * what comes and goes by itself must not move a button under a finger.
 */
export function ConnectionStatus({ isSpanish = false }: { isSpanish?: boolean }) {
  const chosen = useMessages(connectionMessages);
  // Some screens are Spanish in either language.
  const t = (key: keyof typeof connectionMessages.pairs) =>
    isSpanish ? connectionMessages.pairs[key][1] : chosen(key);
  const connection = useConnection();
  useRootMark("isUnconnected", connection !== "up");
  return (
    // Named as live, so that an open dialog does not hide it from screen readers.
    <div role="status" aria-live="polite" className="flex min-w-0 items-center">
      {connection === "up" ? null : (
        <p className="flex min-w-0 items-center gap-2 rounded-md bg-warning-soft px-2.5 py-1 font-medium text-warning-text text-xs leading-4">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          {t(connection)}
          {connection === "outdated" ? (
            <Button variant="secondary" size="sm" onClick={() => page.reload()}>
              {t("reload")}
            </Button>
          ) : null}
        </p>
      )}
    </div>
  );
}
