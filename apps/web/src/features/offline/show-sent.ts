import { messagesOf } from "../../lib/i18n.ts";
import { toast } from "../../ui/toast.ts";
import { queueMessages } from "./queue-messages.ts";

/** Shows how many queued writes were saved. */
export function showSent(count: number): void {
  if (count === 0) return;
  const t = messagesOf(queueMessages);
  toast({ title: t("sentTitle"), description: t("sentText", { count }), tone: "success" });
}
