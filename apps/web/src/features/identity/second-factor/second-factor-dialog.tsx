import type { SecondFactor } from "@portal/contract/routes/second-factor";
import type { RefObject } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody } from "../../../ui/dialog.tsx";
import { secondFactorMessages } from "./messages.ts";
import { useEndTotp, useMakeRecoveryCodes } from "./queries.ts";
import { ConfirmationForm, RecoveryCodes, TotpSteps } from "./totp-steps.tsx";

/** What is to be done with the second factor. */
export type FactorChange = "setUpApp" | "removeApp" | "newCodes";

const texts = { setUpApp: "setUpText", removeApp: "removeText", newCodes: "newCodesText" } as const;

interface SecondFactorDialogProps {
  change: FactorChange;
  asked: SecondFactor["confirmation"];
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** One change of the second factor, from the confirmation to its end. */
export default function SecondFactorDialog(props: SecondFactorDialogProps) {
  const { change, asked, onClose, returnFocusTo } = props;
  const t = useMessages(secondFactorMessages);
  const cancel = (
    <Button variant="secondary" onClick={onClose}>
      {t("cancel")}
    </Button>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      // A click outside would lose the recovery codes.
      closeOnOutside={false}
      returnFocusTo={returnFocusTo}
      title={t(change)}
      description={t(texts[change])}
      className="max-w-md"
    >
      <DialogBody>
        {change === "setUpApp" ? (
          <TotpSteps asked={asked} onDone={onClose}>
            {cancel}
          </TotpSteps>
        ) : null}
        {change === "removeApp" ? (
          <RemoveApp asked={asked} onDone={onClose}>
            {cancel}
          </RemoveApp>
        ) : null}
        {change === "newCodes" ? (
          <NewCodes asked={asked} onDone={onClose}>
            {cancel}
          </NewCodes>
        ) : null}
      </DialogBody>
    </Dialog>
  );
}

interface ChangeProps {
  asked: SecondFactor["confirmation"];
  onDone: () => void;
  children: React.ReactNode;
}

function RemoveApp({ asked, onDone, children }: ChangeProps) {
  const t = useMessages(secondFactorMessages);
  const remove = useEndTotp();
  return (
    <ConfirmationForm
      asked={asked}
      submitLabel={t("removeApp")}
      isDanger
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={(confirmation) => remove.mutate(confirmation, { onSuccess: onDone })}
    >
      {children}
    </ConfirmationForm>
  );
}

function NewCodes({ asked, onDone, children }: ChangeProps) {
  const t = useMessages(secondFactorMessages);
  const make = useMakeRecoveryCodes();
  if (make.data) return <RecoveryCodes codes={make.data.recoveryCodes} onDone={onDone} />;
  return (
    <ConfirmationForm
      asked={asked}
      submitLabel={t("next")}
      isPending={make.isPending}
      error={make.error}
      onConfirm={(confirmation) => make.mutate(confirmation)}
    >
      {children}
    </ConfirmationForm>
  );
}
