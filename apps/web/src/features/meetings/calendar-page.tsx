import type { Meeting } from "@portal/contract/entities/meeting";
import { useQuery } from "@tanstack/react-query";
import { BellRing, CalendarPlus } from "lucide-react";
import { type RefObject, Suspense, useId, useRef, useState } from "react";
import { useTime } from "../../lib/clock.tsx";
import { preloadCode } from "../../lib/connection.ts";
import { errorText } from "../../lib/errors.ts";
import { useMessages } from "../../lib/i18n.ts";
import { lateComponent } from "../../lib/late-module.ts";
import { settingsQuery } from "../../lib/shared-queries.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Switch } from "../../ui/switch.tsx";
import { toast } from "../../ui/toast.ts";
import { useSaveNotifications } from "../notifications/queries.ts";
import {
  setDesktopNotifications,
  useDesktopNotifications,
} from "../notifications/show-desktop-notifications.ts";
import { GoogleCard } from "./components/google-card.tsx";
import { EarlierMeetings, type MeetingActions, MeetingList } from "./components/meeting-list.tsx";
import { calendarMessages } from "./messages.ts";
import { useDeleteMeeting } from "./queries.ts";

const loadDialog = () => import("./meeting-dialog.tsx");
const MeetingDialog = lateComponent(loadDialog);
const clockMs = 15_000;

/** The open dialog: for a meeting, or for a new one. */
interface OpenDialog {
  meeting: Meeting | null;
  opener: RefObject<HTMLElement | null>;
}

/** Calendar: the consultant's meetings by day, and the connection to Google. */
export function CalendarPage() {
  const t = useMessages(calendarMessages);
  const now = useTime(clockMs);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [leaving, setLeaving] = useState<Meeting | null>(null);
  const remove = useDeleteMeeting();
  const opener = useRef<HTMLElement | null>(null);

  function schedule(): void {
    opener.current = document.activeElement as HTMLElement | null;
    setDialog({ meeting: null, opener });
  }
  const actions: MeetingActions = {
    onEdit: (meeting, opener) => setDialog({ meeting, opener }),
    onDelete: setLeaving,
  };
  const preload = () => preloadCode(loadDialog);

  return (
    <>
      <div className="grid gap-5">
        <PageHeader
          title={t("title")}
          subtitle={t("subtitle")}
          actions={
            <Button onClick={schedule} onPointerEnter={preload} onFocus={preload}>
              <CalendarPlus aria-hidden />
              {t("schedule")}
            </Button>
          }
        />
        <GoogleCard />
        <ReminderSwitch />
        <EarlierMeetings now={now} {...actions} />
        <MeetingList now={now} onSchedule={schedule} {...actions} />
      </div>
      <Suspense fallback={null}>
        {dialog ? (
          <MeetingDialog
            meeting={dialog.meeting}
            returnFocusTo={dialog.opener}
            onClose={() => setDialog(null)}
          />
        ) : null}
      </Suspense>
      <AlertDialog
        open={leaving !== null}
        onOpenChange={(open) => !open && setLeaving(null)}
        title={t("deleteTitle")}
        description={t("deleteQuestion")}
        cancelLabel={t("cancel")}
        confirmLabel={remove.isPending ? t("deleting") : t("delete")}
        destructive
        pending={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving, { onSettled: () => setLeaving(null) })}
      />
    </>
  );
}

/** Whether this browser shows desktop notifications of meetings: wanted by the account, and permitted by the browser. */
export function ReminderSwitch() {
  const t = useMessages(calendarMessages);
  const state = useDesktopNotifications();
  const { data: settings } = useQuery(settingsQuery());
  const save = useSaveNotifications();
  const id = useId();
  if (state === "absent") return null;
  const isWanted = settings?.notifications.meetings ?? true;

  const change = async (on: boolean) => {
    // Other notifications of this browser are not changed.
    if (on) await setDesktopNotifications(true);
    if (on === isWanted) return;
    save.mutate(
      { meetings: on },
      {
        onError: (error) =>
          toast({ title: t("remindFailed"), description: errorText(error), error, tone: "destructive" }),
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
