import { browserOf } from "@portal/contract/browser-of";
import { limits } from "@portal/contract/limits";
import type { Passkey } from "@portal/contract/routes/second-factor";
import { type FormEvent, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { secondFactorMessages } from "./messages.ts";
import { ConfirmationForm, StepButtons, type StepsProps } from "./totp-steps.tsx";
import { useAddPasskey, useEndPasskey, useRenamePasskey } from "./use-passkey.ts";

interface NameFieldProps {
  value: string;
  onChange: (name: string) => void;
}

function NameField({ value, onChange }: NameFieldProps) {
  const t = useMessages(secondFactorMessages);
  return (
    <Field label={t("passkeyName")} hint={t("passkeyNameHint")}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          maxLength={limits.nameMaxLength}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Adds a passkey in steps: its name and the user's confirmation, then the device's prompt; the first one brings recovery codes. */
export function PasskeySteps({ asked, onDone, children }: StepsProps) {
  const t = useMessages(secondFactorMessages);
  const { browser, system } = browserOf(navigator.userAgent);
  const [name, setName] = useState([browser, system].filter(Boolean).join(", "));
  const add = useAddPasskey();
  return (
    <ConfirmationForm
      asked={asked}
      submitLabel={t("next")}
      isPending={add.isPending}
      error={add.error}
      fields={<NameField value={name} onChange={setName} />}
      onConfirm={(confirmation) =>
        name.trim() === ""
          ? undefined
          : add.mutate(
              { name, confirmation },
              { onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes ?? undefined) },
            )
      }
    >
      {children}
    </ConfirmationForm>
  );
}

/** Renames a passkey. */
export function RenamePasskey({
  passkey,
  onDone,
  children,
}: Omit<StepsProps, "asked"> & { passkey: Passkey }) {
  const t = useMessages(secondFactorMessages);
  const [name, setName] = useState(passkey.name);
  const rename = useRenamePasskey(passkey.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "" && !rename.isPending) rename.mutate(name, { onSuccess: () => onDone() });
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <NameField value={name} onChange={setName} />
      <StepButtons beside={children}>
        <Button type="submit" pending={rename.isPending} disabled={name.trim() === ""}>
          {t("save")}
        </Button>
      </StepButtons>
    </form>
  );
}

/** Removes a passkey. */
export function RemovePasskey({ passkey, asked, onDone, children }: StepsProps & { passkey: Passkey }) {
  const t = useMessages(secondFactorMessages);
  const end = useEndPasskey(passkey.id);
  return (
    <ConfirmationForm
      asked={asked}
      submitLabel={t("removePasskey")}
      isDanger
      isPending={end.isPending}
      error={end.error}
      onConfirm={(confirmation) => end.mutate(confirmation, { onSuccess: () => onDone() })}
    >
      {children}
    </ConfirmationForm>
  );
}
