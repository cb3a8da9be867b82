import type { DialerSession } from "@portal/contract/entities/dialer";
import { useEffect, useRef } from "react";
import { textOf } from "../../lib/i18n.ts";
import { toast } from "../../ui/toast.ts";
import { isLive } from "./session-query.ts";
import { dialerTexts } from "./texts.ts";

/** What is to be said of a session, compared with what was last known of it. A session that was known to nobody has nothing to tell. */
function newsOf(
  before: DialerSession | null,
  now: DialerSession | null,
): "failed" | "completed" | "proposed" | null {
  if (!now) return null;
  const same = before?.id === now.id ? before : null;
  // The end of a session can be seen as well: this cannot.
  if (now.followUpProposed && same && !same.followUpProposed) return "proposed";
  if (same && isLive(same) && now.status === "completed") return "completed";
  const isNew = now.lastFailure && now.lastFailure.at !== same?.lastFailure?.at;
  return isNew && isLive(now) ? "failed" : null;
}

/** The recorded toasts, a lead that could not be called and the end with its count; and that a follow-up could only be proposed. */
export function useDialerToasts(session: DialerSession | null, isKnown: boolean): void {
  const before = useRef<DialerSession | null | undefined>(undefined);
  useEffect(() => {
    if (!isKnown) return;
    const news = before.current === undefined ? null : newsOf(before.current, session);
    const name = before.current?.call?.leadName ?? "";
    before.current = session;
    if (!session || !news) return;
    const t = textOf(dialerTexts);
    if (news === "completed") {
      toast({
        title: t("completedTitle"),
        description: t("completedText", { count: session.counts.dialled }),
        tone: "success",
      });
    } else if (news === "proposed") {
      toast({ title: t("proposedTitle"), description: t("proposedText", { name }), tone: "warning" });
    } else if (session.lastFailure) {
      toast({
        title: t("failedTitle"),
        description: t("failedText", { name: session.lastFailure.leadName }),
        tone: "destructive",
      });
    }
  }, [session, isKnown]);
}
