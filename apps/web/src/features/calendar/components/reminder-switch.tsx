import { BellRing } from "lucide-react";
import { useId } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Switch } from "../../../ui/switch.tsx";
import { setDesktopNotices, useDesktopNotices } from "../desktop-notices.ts";
import { calendarTexts } from "../texts.ts";

/** Whether this browser reminds of meetings on the desktop too. */
export function ReminderSwitch() {
  const t = useTexts(calendarTexts);
  const state = useDesktopNotices();
  const id = useId();
  if (state === "absent") return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <Switch
        id={id}
        checked={state === "on"}
        disabled={state === "blocked"}
        aria-describedby={`${id}-hint`}
        onCheckedChange={(on) => void setDesktopNotices(on)}
      />
      <label htmlFor={id} className="inline-flex items-center gap-1.5 font-medium">
        <BellRing aria-hidden className="size-4 text-muted-foreground" />
        {t("remind")}
      </label>
      <p id={`${id}-hint`} className="text-muted-foreground">
        {state === "blocked" ? t("remindBlocked") : t("remindHint")}
      </p>
    </div>
  );
}
