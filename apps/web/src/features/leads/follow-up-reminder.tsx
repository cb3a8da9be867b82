import { listTimedFollowUps, type TimedFollowUp } from "@portal/contract/routes/assignment";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTime } from "../../lib/clock.tsx";
import { formatSoon } from "../../lib/format.ts";
import { defineMessages, messagesOf } from "../../lib/i18n.ts";
import { openLead } from "../../lib/lead-panel.ts";
import { routeQuery } from "../../lib/query-client.ts";
import { STORAGE_KEYS } from "../../lib/storage-keys.ts";
import { toast } from "../../ui/toast.ts";
import {
  claimOnce,
  showDesktopNotification,
  useNotifiesOnDesktop,
} from "../notifications/show-desktop-notifications.ts";

const followUpReminderMessages = defineMessages("follow-up-reminder", {
  title: ["Follow up with {name}", "Seguimiento con {name}"],
  text: ["Due {when}", "Para {when}"],
  several: ["{n} follow-ups are due", "{n} seguimientos para ahora"],
});

const clockMs = 15_000;
/** The server returns follow-ups from a day ago to three hours ahead, so they are refetched well before that. */
const readEveryMs = 3_600_000;
const keptMs = 25 * 3_600_000;

function claim({ leadId, at }: TimedFollowUp, now: number): Promise<boolean> {
  return claimOnce({
    store: STORAGE_KEYS.remindedFollowUps,
    mark: `${leadId}@${at}`,
    isOver: (mark) => Date.parse(mark.slice(mark.indexOf("@") + 1)) < now - keptMs,
  });
}

/** One toast for all due follow-ups, as each toast replaces the previous one; separate desktop notifications. */
function remind(due: readonly TimedFollowUp[], onDesktop: boolean): void {
  const t = messagesOf(followUpReminderMessages);
  const reminders = due.map(({ leadId, name, at }) => ({
    title: t("title", { name }),
    description: t("text", { when: formatSoon(at) }),
    tag: `follow-up-${leadId}-${at}`,
    url: `/leads/${leadId}`,
    onOpen: () => openLead(leadId),
  }));
  const [only, ...others] = reminders;
  if (!only) return;
  if (others.length === 0) toast({ title: only.title, description: only.description, onOpen: only.onOpen });
  else toast({ title: t("several", { n: due.length }), description: due.map(({ name }) => name).join(", ") });
  if (onDesktop)
    for (const { title, description, ...rest } of reminders)
      showDesktopNotification(title, { body: description, ...rest });
}

/**
 * Reminds of the user's own follow-ups at their time, on any page and once per browser; of those that came due while no page was open, at
 * the next visit. A rescheduled one reminds again.
 */
export default function FollowUpReminder() {
  const now = useTime(clockMs);
  const { data: timed } = useQuery({ ...routeQuery(listTimedFollowUps), refetchInterval: readEveryMs });
  const onDesktop = useNotifiesOnDesktop();
  useEffect(() => {
    if (onDesktop === null) return;
    // A toast in a hidden tab would go unseen, so the reminder waits until the page is visible.
    if (document.hidden && !onDesktop) return;
    const due = (timed ?? []).filter(({ at }) => Date.parse(at) <= now);
    void Promise.all(due.map((followUp) => claim(followUp, now))).then((mine) =>
      remind(
        due.filter((_, index) => mine[index]),
        onDesktop,
      ),
    );
  }, [timed, now, onDesktop]);
  return null;
}
