import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useMessages } from "../../lib/i18n.ts";
import { isQueueOpen, queueItems, sendQueue } from "../../lib/offline/queue.ts";
import { useStore } from "../../lib/store.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "../../ui/dialog.tsx";
import { QueueEntry } from "./queue-entry.tsx";
import { queueMessages } from "./queue-messages.ts";
import { showSent } from "./show-sent.ts";

/** What waits to be sent, in its order; what was refused with its person's choices. */
export default function QueueDialog() {
  const t = useMessages(queueMessages);
  const isOpen = useStore(isQueueOpen);
  const items = useStore(queueItems);
  const client = useQueryClient();
  const list = useRef<HTMLUListElement>(null);
  const send = useMutation({
    mutationFn: () => sendQueue(client),
    onSuccess: ({ sent }) => showSent(sent),
  });
  const close = () => isQueueOpen.set(false);
  const waits = items.some(({ refusal }) => !refusal);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => isQueueOpen.set(open)}
      title={t("title")}
      description={items.length === 0 ? t("empty") : t("hint")}
    >
      <DialogBody className="py-0">
        <ul ref={list} tabIndex={-1} aria-label={t("list")} className="divide-y outline-none">
          {items.map((item) => (
            <QueueEntry key={item.id} item={item} list={list} onOpenLead={close} />
          ))}
        </ul>
        {waits && send.data?.waits ? (
          <p role="status" className="pb-3 text-muted-foreground text-sm">
            {t("stillAway")}
          </p>
        ) : null}
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" onClick={close}>
          {t("close")}
        </Button>
        {waits ? (
          <Button pending={send.isPending} onClick={() => send.mutate()}>
            {t("tryNow")}
          </Button>
        ) : null}
      </DialogFooter>
    </Dialog>
  );
}
