import { useQuery } from "@tanstack/react-query";
import { MessageSquareWarning } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { smsButtonTexts } from "../button-texts.ts";
import { unreadQuery } from "../unread-query.ts";

const InboxDialog = lazy(() => import("./inbox-dialog.tsx"));

/** Opens the texts from unknown numbers; nothing is shown while none waits. */
export function InboxButton() {
  const t = useTexts(smsButtonTexts);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { data } = useQuery(unreadQuery());
  const waiting = data?.inbox ?? 0;
  if (waiting === 0 && !isOpen) return null;
  return (
    <>
      <Button ref={opener} variant="secondary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <MessageSquareWarning aria-hidden />
        {t("inbox")}
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
