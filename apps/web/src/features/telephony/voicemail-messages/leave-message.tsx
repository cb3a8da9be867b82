import type { Call } from "@portal/contract/entities/call";
import { Voicemail } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { leaveMessages } from "./messages.ts";
import { useLeaveMessage } from "./queries.ts";

/** One press leaves the recorded message while a voicemail is on the line; nothing at any other time. */
export function LeaveMessageButton({ call, className }: { call: Call; className?: string }) {
  const t = useMessages(leaveMessages);
  const leave = useLeaveMessage();
  if (call.message?.state !== "ready") return null;
  return (
    <Button
      size="sm"
      className={className}
      pending={leave.isPending}
      onClick={() => leave.mutate({ id: call.id })}
    >
      {leave.isPending ? null : <Voicemail aria-hidden />}
      {t("leave")}
    </Button>
  );
}

/** The message for this call, with its button while a voicemail is on the line, and afterwards how far it is: always as high, so that nothing moves. */
export function LeaveMessage({ call }: { call: Call }) {
  const t = useMessages(leaveMessages);
  const { message } = call;
  if (!message) return null;
  const { name, state } = message;
  return (
    <section
      className={cn(
        "flex min-h-16 items-center justify-between gap-2 rounded-lg border px-3 py-2 text-sm",
        state === "ready" ? "bg-primary-soft" : "bg-muted/60",
        state === "not_whole" && "bg-warning-soft text-warning-text",
        state === "waiting" && "text-muted-foreground",
      )}
    >
      <p role="status" className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere]">
        {t(state, { name })}
      </p>
      <LeaveMessageButton call={call} className="shrink-0" />
    </section>
  );
}
