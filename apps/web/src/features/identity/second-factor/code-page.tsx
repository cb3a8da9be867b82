import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { useSkeletonRemoval } from "../../../lib/document.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { page, useDocumentTitle } from "../../../lib/navigation.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { enterPortal } from "../auth/queries.ts";
import { LanguageSwitch, SignInFrame } from "../auth/sign-in-frame.tsx";
import { secondFactorMessages } from "./messages.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import { fieldError, secondFactorQuery, useVerifyCode } from "./queries.ts";

/** Shown at every address between the password and the code of the second factor. */
export function CodePage() {
  const t = useMessages(secondFactorMessages);
  const [isRecovery, setRecovery] = useState(false);
  const { data: factor } = useQuery(secondFactorQuery());
  useDocumentTitle(t("codePageTitle"));
  useSkeletonRemoval();
  return (
    <SignInFrame heading={t("codePageTitle")} subtitle={t(isRecovery ? "recoveryPageText" : "codePageText")}>
      <div className="grid gap-5">
        <CodeForm key={String(isRecovery)} isRecovery={isRecovery} />
        {factor && factor.passkeys.length > 0 ? <PasskeyButton /> : null}
        <Button variant="secondary" size="lg" onClick={() => setRecovery(!isRecovery)}>
          {t(isRecovery ? "useApp" : "useRecovery")}
        </Button>
        <p className="text-balance text-muted-foreground text-sm">{t("askAdministrator")}</p>
        <OtherAccount />
        <LanguageSwitch />
      </div>
    </SignInFrame>
  );
}

function CodeForm({ isRecovery }: { isRecovery: boolean }) {
  const t = useMessages(secondFactorMessages);
  const input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [isMissing, setMissing] = useState(false);
  const verify = useVerifyCode(enterPortal);
  // After success the page is about to reload, so the form stays busy.
  const busy = verify.isPending || verify.isSuccess;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setMissing(code.trim() === "");
    if (code.trim() === "") input.current?.focus();
    else verify.mutate(code, { onError: () => input.current?.select() });
  };

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <Field
        label={t(isRecovery ? "recoveryCode" : "code")}
        error={isMissing ? t("codeMissing") : fieldError(verify.error)}
      >
        {(control) => (
          <Input
            {...control}
            ref={input}
            autoFocus
            required
            autoComplete={isRecovery ? "off" : "one-time-code"}
            inputMode={isRecovery ? "text" : "numeric"}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={60}
            className="h-11 font-mono tracking-wider"
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" size="lg" pending={busy} className="w-full">
        {t("next")}
      </Button>
    </form>
  );
}

/** Leaves a sign-in that is not complete, for another account. */
export function OtherAccount() {
  const t = useMessages(secondFactorMessages);
  return (
    <Button
      variant="link"
      size="inline"
      className="justify-self-start"
      onClick={() => page.go("/api/logout")}
    >
      {t("otherAccount")}
    </Button>
  );
}
