import type { CurrentUser } from "@portal/contract/entities/user";
import { useTexts } from "../../lib/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { PasswordForm } from "./components/password-form.tsx";
import { ProfileForm } from "./components/profile-form.tsx";
import { accountTexts } from "./texts.ts";

interface AccountDialogProps {
  user: CurrentUser;
  onClose: () => void;
}

/** The Account Settings modal: profile and password (specification §2). Closes after a saved profile or by Cancel. */
export function AccountDialog({ user, onClose }: AccountDialogProps) {
  const t = useTexts(accountTexts);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      closeOnOutside={false}
      title={t("title")}
      description={t("description")}
    >
      <div className="min-h-0 overflow-y-auto">
        <ProfileForm user={user} onClose={onClose} />
        <PasswordForm />
      </div>
    </Dialog>
  );
}
