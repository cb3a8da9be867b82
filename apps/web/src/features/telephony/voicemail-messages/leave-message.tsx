import type { Call } from "@portal/contract/entities/call";
import { Voicemail } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { leaveMessages } from "./messages.ts";
import { useLeaveMessage } from "./queries.ts";

/**
 * A button that leaves the recorded message while a voicemail is on the line, and its progress afterwards. Nothing if a person answered.
 */
export function LeaveMessage({ call }: { call: Call }) {
  const t = useMessages(leaveMessages);
  const leave = useLeaveMessage();
  const { message } = call;
  if (!message) return null;
  const { name, state } = message;
  if (state !== "ready")
    return (
      <p
        role="status"
        className={cn(
          "rounded-lg border px-3 py-2 text-sm [overflow-wrap:anywhere]",
          state === "not_whole" ? "bg-warning-soft text-warning-text" : "bg-muted/60",
        )}
      >
        {t(state, { name })}
      </p>
    );
  return (
    <section className="flex flex-wrap items-center justify-between gap-2 rounded-lg border bg-primary-soft px-3 py-2 text-sm">
      <p role="status" className="min-w-0 flex-1 basis-40 [overflow-wrap:anywhere]">
        {t("leaveHint", { name })}
      </p>
      <Button
        size="sm"
        className="max-sm:w-full"
        pending={leave.isPending}
        onClick={() => leave.mutate({ id: call.id })}
      >
        {leave.isPending ? null : <Voicemail aria-hidden />}
        {t("leave")}
      </Button>
    </section>
  );
}
