import type { RouteResponse } from "@portal/contract/route";
import type { createMember, TeamMember } from "@portal/contract/routes/team";
import type { RefObject } from "react";
import { formatDate, formatTime } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Dialog, DialogBody, DialogFooter } from "../../ui/dialog.tsx";
import { teamDialogMessages } from "./dialog-messages.ts";

/** A one-time link and its account; the link is null if the login provider manages passwords. */
export interface ShownLink {
  member: TeamMember;
  link: RouteResponse<typeof createMember>["link"];
}

interface LinkDialogProps {
  made: ShownLink;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Shows a one-time link, once. */
export function LinkDialog({ made: { member, link }, onClose, returnFocusTo }: LinkDialogProps) {
  const t = useMessages(teamDialogMessages);
  const { name, email } = member;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      // A click outside would lose the link.
      closeOnOutside={false}
      returnFocusTo={returnFocusTo}
      title={link ? t("linkTitle", { name }) : t("noLinkTitle")}
      description={link ? t("linkText", { name }) : t("noLinkText", { name, email })}
      className="max-w-lg"
    >
      {link ? (
        <DialogBody className="grid gap-3">
          <CopyField
            label={t("link")}
            value={link.url}
            hint={t("linkUntil", { when: `${formatDate(link.expiresAt)}, ${formatTime(link.expiresAt)}` })}
          />
          {link.mailed ? <p className="text-sm">{t("linkMailed", { email })}</p> : null}
        </DialogBody>
      ) : (
        <div className="h-5" />
      )}
      <DialogFooter>
        <Button onClick={onClose}>{t("done")}</Button>
      </DialogFooter>
    </Dialog>
  );
}
