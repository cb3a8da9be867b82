import { useQuery } from "@tanstack/react-query";
import { BellRing } from "lucide-react";
import { useId } from "react";
import { errorText } from "../../../lib/errors.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { settingsQuery } from "../../../lib/settings-query.ts";
import { Switch } from "../../../ui/switch.tsx";
import { toast } from "../../../ui/toast.ts";
import { setDesktopNotices, useDesktopNotices } from "../../notices/desktop-notices.ts";
import { useSaveNotifications } from "../../notices/queries.ts";
import { calendarTexts } from "../texts.ts";

/** Whether meetings are told on the desktop of this browser: the account wants it, and the browser may. */
export function ReminderSwitch() {
  const t = useTexts(calendarTexts);
  const state = useDesktopNotices();
  const { data: settings } = useQuery(settingsQuery());
  const save = useSaveNotifications();
  const id = useId();
  if (state === "absent") return null;
  const isWanted = settings?.notifications.meetings ?? true;

  const change = async (on: boolean) => {
    // Other notices of this browser stay as they are.
    if (on) await setDesktopNotices(true);
    if (on === isWanted) return;
    save.mutate(
      { meetings: on },
      {
        onError: (error) =>
          toast({ title: t("remindFailed"), description: errorText(error), tone: "destructive" }),
      },
    );
  };

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <Switch
        id={id}
        checked={state === "on" && isWanted}
        disabled={state === "blocked" || save.isPending}
        aria-describedby={`${id}-hint`}
        onCheckedChange={(on) => void change(on)}
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
