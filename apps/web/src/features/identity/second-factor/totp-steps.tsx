import type { Confirmation, SecondFactor } from "@portal/contract/routes/second-factor";
import { encodeQR } from "qr";
import { type FormEvent, type ReactNode, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyField } from "../../../ui/copy-field.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { PasswordInput } from "../auth/sign-in-frame.tsx";
import { secondFactorMessages } from "./messages.ts";
import { fieldError, useBeginTotp, useConfirmTotp } from "./queries.ts";

/** Dark on white in both themes, as scanners need it, with the four modules of quiet around it. */
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

/** Asks for what shows that a change is its owner's: the password, a code, or nothing. */
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
      <div className="flex flex-wrap justify-end gap-2">
        {children}
        <Button
          type="submit"
          variant={isDanger ? "destructive" : "primary"}
          pending={isPending}
          disabled={!isReady}
        >
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

/** Recovery codes, shown this once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useMessages(secondFactorMessages);
  const [state, setState] = useState<"idle" | "copied" | "copyFailed">("idle");
  const copy = () =>
    navigator.clipboard.writeText(codes.join("\n")).then(
      () => setState("copied"),
      () => setState("copyFailed"),
    );
  return (
    <section className="grid gap-4">
      <h3 className="font-semibold">{t("codesTitle")}</h3>
      <p className="text-sm">{t("codesText")}</p>
      <ul className="grid gap-1 rounded-lg bg-muted p-4 font-mono text-[0.8125rem]">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={() => void copy()}>
          {t(state === "copied" ? "copied" : "copyCodes")}
        </Button>
        <Button onClick={onDone}>{t("kept")}</Button>
      </div>
      <p role="status" className="text-muted-foreground text-sm empty:hidden">
        {state === "copyFailed" ? t("copyFailed") : null}
      </p>
    </section>
  );
}

interface TotpStepsProps {
  asked: SecondFactor["confirmation"];
  /** Called once the user has saved the recovery codes. */
  onDone: () => void;
  /** Beside the buttons of the steps that change nothing yet. */
  children?: ReactNode;
}

/** Sets up an authenticator app in steps: the user's confirmation, the key and a code, the recovery codes. */
export function TotpSteps({ asked, onDone, children }: TotpStepsProps) {
  const t = useMessages(secondFactorMessages);
  const begin = useBeginTotp();
  const confirm = useConfirmTotp();
  const [code, setCode] = useState("");

  if (confirm.data) return <RecoveryCodes codes={confirm.data.recoveryCodes} onDone={onDone} />;
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
    if (!confirm.isPending && code.trim() !== "") confirm.mutate(code);
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
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            className="font-mono tracking-wider"
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        {children}
        <Button type="submit" pending={confirm.isPending} disabled={code.trim() === ""}>
          {t("turnOn")}
        </Button>
      </div>
    </form>
  );
}
