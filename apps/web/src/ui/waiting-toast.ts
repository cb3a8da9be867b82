import { defineMessages, messagesOf } from "../lib/i18n.ts";
import { isQueueOpen, type WaitReason } from "../lib/offline/queue.ts";
import { toast } from "./toast.ts";

const waitingMessages = defineMessages("waiting", {
  title: ["Waiting to be sent", "Pendiente de envío"],
  network: [
    "It is saved in this browser and is sent when the connection is back.",
    "Se guardó en este navegador y se enviará cuando vuelva la conexión.",
  ],
  session: [
    "Your session has ended. It is saved in this browser and is sent when you sign in again.",
    "Tu sesión terminó. Se guardó en este navegador y se enviará cuando vuelvas a iniciar sesión.",
  ],
});

/** Shows that what was just entered is waiting in this browser to be sent; a press opens the list. */
export function sayWaiting(reason: WaitReason): void {
  const t = messagesOf(waitingMessages);
  toast({
    title: t("title"),
    description: t(reason),
    tone: "warning",
    onOpen: () => isQueueOpen.set(true),
  });
}
