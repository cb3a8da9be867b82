import type { Passkey, SecondFactor } from "@portal/contract/routes/second-factor";
import { type RefObject, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody } from "../../../ui/dialog.tsx";
import { secondFactorMessages } from "./messages.ts";
import { PasskeySteps, RemovePasskey, RenamePasskey } from "./passkey-steps.tsx";
import { useEndTotp, useMakeRecoveryCodes } from "./queries.ts";
import { ConfirmationForm, RecoveryCodes, type StepsProps, TotpSteps } from "./totp-steps.tsx";

/** The change that the dialog makes to the second factor. */
export type FactorChange =
  | { kind: "setUpApp" | "removeApp" | "newCodes" | "addPasskey" }
  | { kind: "rename" | "removePasskey"; passkey: Passkey };

const texts = {
  setUpApp: "setUpText",
  removeApp: "removeText",
  newCodes: "newCodesText",
  addPasskey: "addPasskeyText",
  rename: "renameText",
  removePasskey: "removePasskeyText",
} as const;

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
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      // A click outside would lose the recovery codes.
      closeOnOutside={false}
      returnFocusTo={returnFocusTo}
      title={t(codes ? "codesTitle" : change.kind)}
      description={t(codes ? "codesText" : texts[change.kind])}
      className="max-w-md"
    >
      <DialogBody>
        {codes ? (
          <RecoveryCodes codes={codes} onDone={onClose} />
        ) : (
          <ChangeSteps
            change={change}
            asked={asked}
            onDone={(recoveryCodes) => (recoveryCodes ? setCodes(recoveryCodes) : onClose())}
          >
            <Button variant="secondary" onClick={onClose}>
              {t("cancel")}
            </Button>
          </ChangeSteps>
        )}
      </DialogBody>
    </Dialog>
  );
}

function ChangeSteps({ change, ...rest }: StepsProps & { change: FactorChange }) {
  switch (change.kind) {
    case "setUpApp":
      return <TotpSteps {...rest} />;
    case "removeApp":
      return <RemoveApp {...rest} />;
    case "newCodes":
      return <NewCodes {...rest} />;
    case "addPasskey":
      return <PasskeySteps {...rest} />;
    case "rename":
      return <RenamePasskey passkey={change.passkey} {...rest} />;
    case "removePasskey":
      return <RemovePasskey passkey={change.passkey} {...rest} />;
  }
}

function RemoveApp({ asked, onDone, children }: StepsProps) {
  const t = useMessages(secondFactorMessages);
  const remove = useEndTotp();
  return (
    <ConfirmationForm
      asked={asked}
      submitLabel={t("removeApp")}
      isDanger
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={(confirmation) => remove.mutate(confirmation, { onSuccess: () => onDone() })}
    >
      {children}
    </ConfirmationForm>
  );
}

function NewCodes({ asked, onDone, children }: StepsProps) {
  const t = useMessages(secondFactorMessages);
  const make = useMakeRecoveryCodes();
  return (
    <ConfirmationForm
      asked={asked}
      submitLabel={t("next")}
      isPending={make.isPending}
      error={make.error}
      onConfirm={(confirmation) =>
        make.mutate(confirmation, { onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes) })
      }
    >
      {children}
    </ConfirmationForm>
  );
}
