import type { CurrentUser } from "@portal/contract/entities/user";
import type { RefObject } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { accountMessages } from "./messages.ts";
import { PasswordSection } from "./password-section.tsx";
import { ProfileForm } from "./profile-form.tsx";

interface AccountDialogProps {
  user: CurrentUser;
  onClose: () => void;
  returnFocusTo?: RefObject<HTMLElement | null>;
}

/** The Account Settings modal with profile and password; closes after saving the profile. */
export function AccountDialog({ user, onClose, returnFocusTo }: AccountDialogProps) {
  const t = useMessages(accountMessages);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      closeOnOutside={false}
      returnFocusTo={returnFocusTo}
      title={t("title")}
      description={t("description")}
    >
      <div className="min-h-0 overflow-y-auto">
        <ProfileForm user={user} onClose={onClose} />
        <PasswordSection className="border-t px-5 py-5 sm:px-6" />
      </div>
    </Dialog>
  );
}
