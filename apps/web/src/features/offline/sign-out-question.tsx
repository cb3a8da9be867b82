import type { RefObject } from "react";
import { useMessages } from "../../lib/i18n.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { queueMessages } from "./queue-messages.ts";

interface SignOutQuestionProps {
  /** Number of queued writes; with 0 the question is not shown. */
  count: number;
  onSignOut: () => void;
  onClose: () => void;
  returnFocusTo?: RefObject<HTMLElement | null>;
}

/** Asks for confirmation before a sign-out that deletes queued writes. */
export default function SignOutQuestion({ count, onSignOut, onClose, returnFocusTo }: SignOutQuestionProps) {
  const t = useMessages(queueMessages);
  return (
    <AlertDialog
      open={count > 0}
      onOpenChange={(open) => !open && onClose()}
      title={t("signOutTitle", { count })}
      description={t("signOutText")}
      cancelLabel={t("stay")}
      confirmLabel={t("signOut")}
      destructive
      onConfirm={onSignOut}
      {...(returnFocusTo && { returnFocusTo })}
    />
  );
}
