import type { Confirmation, SecondFactor } from "@portal/contract/routes/second-factor";
import { encodeQR } from "qr";
import { type FormEvent, type ReactNode, useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyField } from "../../../ui/copy-field.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { PasswordInput } from "../auth/sign-in-frame.tsx";
import { secondFactorMessages } from "./messages.ts";
import { fieldError, useBeginTotp, useConfirmTotp } from "./queries.ts";

/** Dark on white in both themes, as scanners require, with a quiet zone of four modules. */
function QrCode({ text }: { text: string }) {
  const t = useMessages(secondFactorMessages);
  const modules = encodeQR(text, "raw", { border: 4 });
  const path = modules
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      role="img"
      aria-label={t("qrLabel")}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
      className="size-52 justify-self-center rounded-lg bg-white"
    >
      <path d={path} fill="black" />
    </svg>
  );
}

interface StepButtonsProps {
  /** Content beside the main button; without it, and on phones, the button is as wide as the form. */
  beside?: ReactNode;
  children: ReactNode;
}

/** The buttons of a step, the main one last. */
export function StepButtons({ beside, children }: StepButtonsProps) {
  return (
    <div className={cn("flex flex-col-reverse gap-2", beside !== undefined && "sm:flex-row sm:justify-end")}>
      {beside}
      {children}
    </div>
  );
}

interface ConfirmationFormProps {
  asked: SecondFactor["confirmation"];
  submitLabel: string;
  isDanger?: boolean;
  isPending: boolean;
  error: Error | null;
  onConfirm: (confirmation: Confirmation) => void;
  /** Further fields, shown above. */
  fields?: ReactNode;
  /** Beside the button. */
  children?: ReactNode;
}

/** Asks the user to confirm a change by password or code, or asks nothing. */
export function ConfirmationForm(props: ConfirmationFormProps) {
  const { asked, submitLabel, isDanger, isPending, error, onConfirm, fields, children } = props;
  const t = useMessages(secondFactorMessages);
  const [value, setValue] = useState("");
  const isReady = asked === "none" || value !== "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending || !isReady) return;
    onConfirm(asked === "password" ? { password: value } : asked === "code" ? { code: value } : {});
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {fields}
      {asked === "none" ? null : (
        <Field label={t(asked === "password" ? "password" : "ownerCode")} error={fieldError(error)}>
          {(control) =>
            asked === "password" ? (
              <PasswordInput
                {...control}
                autoComplete="current-password"
                value={value}
                onChange={(event) => setValue(event.target.value)}
              />
            ) : (
              <Input
                {...control}
                autoComplete="one-time-code"
                maxLength={60}
                value={value}
                onChange={(event) => setValue(event.target.value)}
              />
            )
          }
        </Field>
      )}
      <StepButtons beside={children}>
        <Button
          type="submit"
          variant={isDanger ? "destructive" : "primary"}
          pending={isPending}
          disabled={!isReady}
        >
          {submitLabel}
        </Button>
      </StepButtons>
    </form>
  );
}

/** The recovery codes, shown once, with their own heading. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useMessages(secondFactorMessages);
  const [state, setState] = useState<"idle" | "copied" | "copyFailed">("idle");
  const copy = () =>
    navigator.clipboard.writeText(codes.join("\n")).then(
      () => setState("copied"),
      () => setState("copyFailed"),
    );
  return (
    <div className="grid gap-4">
      <ul className="grid gap-1 rounded-lg bg-muted p-4 font-mono text-[0.8125rem]">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <StepButtons
        beside={
          // The focused field no longer exists; this button gets the focus because a repeated Enter is harmless on it.
          <Button variant="secondary" autoFocus onClick={() => void copy()}>
            {t(state === "copied" ? "copied" : "copyCodes")}
          </Button>
        }
      >
        <Button onClick={onDone}>{t("kept")}</Button>
      </StepButtons>
      <p role="status" className="text-muted-foreground text-sm empty:hidden">
        {state === "copyFailed" ? t("copyFailed") : null}
      </p>
    </div>
  );
}

export interface StepsProps {
  asked: SecondFactor["confirmation"];
  /** Called when it is done, with the recovery codes if there are new ones. */
  onDone: (recoveryCodes?: readonly string[]) => void;
  /** Beside the main button. */
  children?: ReactNode;
}

/** Whether a keyboard on the screen would cover the QR code. */
const hasTouch = () => window.matchMedia("(pointer: coarse)").matches;

/** Sets up an authenticator app in steps: the user's confirmation, then the key and a code. */
export function TotpSteps({ asked, onDone, children }: StepsProps) {
  const t = useMessages(secondFactorMessages);
  const begin = useBeginTotp();
  const confirm = useConfirmTotp();
  const [code, setCode] = useState("");

  if (!begin.data) {
    return (
      <ConfirmationForm
        asked={asked}
        submitLabel={t("next")}
        isPending={begin.isPending}
        error={begin.error}
        onConfirm={(confirmation) => begin.mutate(confirmation)}
      >
        {children}
      </ConfirmationForm>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (confirm.isPending || code.trim() === "") return;
    confirm.mutate(code, { onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes) });
  };
  const { uri, secret } = begin.data;
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-sm">{t("scan")}</p>
      <QrCode text={uri} />
      <CopyField label={t("key")} hint={t("keyHint")} value={secret} />
      <Field label={t("appCode")} hint={t("appCodeHint")} error={fieldError(confirm.error)}>
        {(control) => (
          <Input
            {...control}
            autoFocus={!hasTouch()}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            className="font-mono tracking-wider"
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </Field>
      <StepButtons beside={children}>
        <Button type="submit" pending={confirm.isPending} disabled={code.trim() === ""}>
          {t("turnOn")}
        </Button>
      </StepButtons>
    </form>
  );
}
