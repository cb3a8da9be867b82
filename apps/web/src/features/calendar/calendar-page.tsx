import type { Meeting } from "@portal/contract/entities/meeting";
import { CalendarPlus } from "lucide-react";
import { lazy, type RefObject, Suspense, useRef, useState } from "react";
import { useTexts } from "../../lib/i18n.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { EarlierMeetings } from "./components/earlier-meetings.tsx";
import { GoogleCard } from "./components/google-card.tsx";
import type { MeetingActions } from "./components/meeting-days-list.tsx";
import { MeetingList } from "./components/meeting-list.tsx";
import { ReminderSwitch } from "./components/reminder-switch.tsx";
import { useDeleteMeeting } from "./queries.ts";
import { calendarTexts } from "./texts.ts";
import { useClock } from "./use-clock.ts";

const loadDialog = () => import("./meeting-dialog.tsx");
const MeetingDialog = lazy(loadDialog);
const clockMs = 15_000;

/** The dialog that stands open: about a meeting, or for a new one. */
interface OpenDialog {
  meeting: Meeting | null;
  opener: RefObject<HTMLElement | null>;
}

/** Calendar (specification §2): the consultant's meetings by day, and Google's connection. */
export function CalendarPage() {
  const t = useTexts(calendarTexts);
  const now = useClock(clockMs);
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
  const preload = () => void loadDialog().catch(() => undefined);

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
