import { useId } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { setDesktopNotices, useDesktopNotices } from "../../notices/desktop-notices.ts";
import { settingsTexts } from "../texts.ts";

const hints = {
  on: "desktopOn",
  off: "desktopOff",
  blocked: "desktopBlocked",
  absent: "desktopAbsent",
} as const;

/** Whether this browser shows notices at all: its permission is asked for here, and at once, as no other browser has it. */
export function DesktopRow() {
  const t = useTexts(settingsTexts);
  const state = useDesktopNotices();
  const id = useId();
  // Browsers give the permission to safe addresses only, and call all others blocked.
  const hint = state === "blocked" && !window.isSecureContext ? "desktopUnsafe" : hints[state];
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 rounded-md border bg-muted/40 p-3">
      <div className="grid min-w-0 flex-1 basis-60 gap-0.5">
        <p className="font-medium text-sm">{t("desktop")}</p>
        <p id={id} role="status" className="text-[0.8125rem] text-muted-foreground">
          {t(hint)}
        </p>
      </div>
      {state === "on" || state === "off" ? (
        <Button
          variant="secondary"
          size="sm"
          aria-describedby={id}
          onClick={() => void setDesktopNotices(state === "off")}
        >
          {t(state === "on" ? "desktopTurnOff" : "desktopTurnOn")}
        </Button>
      ) : null}
    </div>
  );
}
