import type { UnknownMessage } from "@portal/contract/entities/message";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Inbox } from "lucide-react";
import { type RefObject, useState } from "react";
import { RelativeTime } from "../../../lib/clock.tsx";
import { formatPhone } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody } from "../../../ui/dialog.tsx";
import { EmptyState, MoreRows, Skeleton } from "../../../ui/list-states.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { newLeadButtonMessages } from "../../new-lead/messages.ts";
import { openNewLead } from "../../new-lead/open-new-lead.tsx";
import { inboxMessages } from "../messages.ts";
import { inboxPages, useAttachSms, useDismissSms } from "../queries.ts";
import { AttachmentsNote } from "./attachments-note.tsx";
import { LeadPicker } from "./lead-picker.tsx";

interface InboxDialogProps {
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** SMS from unknown numbers: each is attached to a lead or dismissed. */
export default function InboxDialog({ onClose, returnFocusTo }: InboxDialogProps) {
  const t = useMessages(inboxMessages);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("title")}
      description={t("hint")}
      returnFocusTo={returnFocusTo}
      className="max-w-xl"
    >
      <DialogBody>
        <WaitingTexts />
      </DialogBody>
    </Dialog>
  );
}

function WaitingTexts() {
  const t = useMessages(inboxMessages);
  const found = useInfiniteQuery(inboxPages());
  const { data, error } = found;
  if (!data && error) {
    return (
      <div className="grid justify-items-start gap-3">
        <FailureText error={error} fallback={t("loadFailed")} />
        <Button variant="secondary" pending={found.isFetching} onClick={() => void found.refetch()}>
          {t("retry")}
        </Button>
      </div>
    );
  }
  if (!data) {
    return (
      <div role="status" aria-label={t("loading")} className="grid gap-3">
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
      </div>
    );
  }
  const texts = data.pages.flatMap(({ items }) => items);
  if (texts.length === 0) return <EmptyState icon={Inbox} title={t("empty")} />;
  return (
    <div className="grid gap-4">
      <ul className="grid divide-y">
        {texts.map((text) => (
          <WaitingText key={text.id} text={text} />
        ))}
      </ul>
      <MoreRows found={found} label={t("more")} />
    </div>
  );
}

function WaitingText({ text }: { text: UnknownMessage }) {
  const t = useMessages(inboxMessages);
  const [isPicking, setPicking] = useState(false);
  const add = useMessages(newLeadButtonMessages);
  const dismiss = useDismissSms();
  const attach = useAttachSms();
  const number = formatPhone(text.from);
  return (
    <li aria-label={t("messagesOf", { number })} className="grid gap-2 py-4 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium tabular-nums">{number}</span>
        <time dateTime={text.createdAt} className="text-muted-foreground text-xs">
          <RelativeTime at={text.createdAt} />
        </time>
      </p>
      <p dir="auto" className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
        {text.message}
        <AttachmentsNote count={text.attachments} />
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          variant="secondary"
          aria-expanded={isPicking}
          onClick={() => setPicking(!isPicking)}
        >
          {t("attach")}
        </Button>
        <Button
          size="sm"
          variant="secondary"
          aria-haspopup="dialog"
          aria-label={add("newLeadFor", { number })}
          onClick={() => openNewLead({ phone: text.from })}
        >
          {add("newLead")}
        </Button>
        <Button size="sm" variant="ghost" pending={dismiss.isPending} onClick={() => dismiss.mutate(text.id)}>
          {t("dismiss")}
        </Button>
      </div>
      {isPicking ? (
        <LeadPicker isPending={attach.isPending} onPick={(lead) => attach.mutate({ id: text.id, lead })} />
      ) : null}
    </li>
  );
}
