import { listTimedFollowUps, type TimedFollowUp } from "@portal/contract/routes/assignment";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { formatSoon } from "../../lib/format.ts";
import { defineMessages, messagesOf } from "../../lib/i18n.ts";
import { openLead } from "../../lib/lead-panel.ts";
import { routeQuery } from "../../lib/query-client.ts";
import { STORAGE_KEYS } from "../../lib/storage-keys.ts";
import { useTime } from "../../lib/use-clock.ts";
import { toast } from "../../ui/toast.ts";
import {
  claimOnce,
  desktopNotifications,
  showDesktopNotification,
} from "../notifications/desktop-notifications.ts";

const followUpReminderMessages = defineMessages("follow-up-reminder", {
  title: ["Follow up with {name}", "Seguimiento con {name}"],
  text: ["Due {when}", "Para {when}"],
});

const clockMs = 15_000;
/** The server names what is a day old at most and three hours ahead; it is asked again well before these have passed. */
const readEveryMs = 3_600_000;
const keptMs = 25 * 3_600_000;

function claim({ leadId, at }: TimedFollowUp, now: number): Promise<boolean> {
  return claimOnce({
    store: STORAGE_KEYS.remindedFollowUps,
    mark: `${leadId}@${at}`,
    isOver: (mark) => Date.parse(mark.slice(mark.indexOf("@") + 1)) < now - keptMs,
  });
}

function remind({ leadId, name, at }: TimedFollowUp, onDesktop: boolean): void {
  const t = messagesOf(followUpReminderMessages);
  const [title, description] = [t("title", { name }), t("text", { when: formatSoon(at) })];
  const onOpen = () => openLead(leadId);
  toast({ title, description, onOpen });
  if (onDesktop)
    showDesktopNotification(title, { body: description, tag: `follow-up-${leadId}-${at}`, onOpen });
}

/**
 * Reminds of one's own follow-ups with a time when it has come, on whatever page, once in each browser; of those that came while no page
 * was open, when one is. One that is moved reminds anew.
 */
export default function FollowUpReminder() {
  const now = useTime(clockMs);
  const { data: timed } = useQuery({ ...routeQuery(listTimedFollowUps), refetchInterval: readEveryMs });
  useEffect(() => {
    const onDesktop = desktopNotifications() === "on";
    // A toast in a tab that nobody sees is gone before they come; then the next look at the page reminds.
    if (document.hidden && !onDesktop) return;
    for (const followUp of timed ?? [])
      if (Date.parse(followUp.at) <= now)
        void claim(followUp, now).then((mine) => mine && remind(followUp, onDesktop));
  }, [timed, now]);
  return null;
}
