import { useQuery } from "@tanstack/react-query";
import { MessageSquareWarning } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { smsButtonMessages } from "../button-messages.ts";
import { unreadQuery } from "../unread-query.ts";

const InboxDialog = lateComponent(() => import("./inbox-dialog.tsx"));

/**
 * Opens the SMS from unknown numbers; nothing while none is waiting. Only the icon and the count on phones, slim on all but the widest
 * screens.
 */
export default function InboxButton({ isSlim }: { isSlim: boolean }) {
  const t = useMessages(smsButtonMessages);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { data } = useQuery(unreadQuery());
  const waiting = data?.inbox ?? 0;
  if (waiting === 0 && !isOpen) return null;
  return (
    <>
      <Button
        ref={opener}
        variant="secondary"
        // It appears late. On a phone the buttons start at the left, so that it moves none as the last one.
        className="max-sm:order-last"
        aria-haspopup="dialog"
        title={t("inbox")}
        onClick={() => setOpen(true)}
      >
        <MessageSquareWarning aria-hidden />
        <span className={isSlim ? "max-2xl:sr-only" : "max-sm:sr-only"}>{t("inbox")}</span>
        <Badge tone="warning" className="tabular-nums">
          <span aria-hidden>{waiting}</span>
          <span className="sr-only">{t("waiting", { count: waiting })}</span>
        </Badge>
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <InboxDialog onClose={() => setOpen(false)} returnFocusTo={opener} />
        </Suspense>
      ) : null}
    </>
  );
}
