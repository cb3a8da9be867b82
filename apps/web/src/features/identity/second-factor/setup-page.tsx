import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSkeletonRemoval } from "../../../lib/document.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { page, useDocumentTitle } from "../../../lib/navigation.ts";
import { Button } from "../../../ui/button.tsx";
import { PartFailed, Skeleton } from "../../../ui/list-states.tsx";
import { hasPasskeys } from "../auth/queries.ts";
import { LanguageSwitch, SignInFrame } from "../auth/sign-in-frame.tsx";
import { OtherAccount } from "./code-page.tsx";
import { secondFactorMessages } from "./messages.ts";
import { PasskeySteps } from "./passkey-steps.tsx";
import { secondFactorQuery } from "./queries.ts";
import { RecoveryCodes, TotpSteps } from "./totp-steps.tsx";

/** Shown at every address while the user's role requires a second factor and none is set up. */
export function SetupPage() {
  const t = useMessages(secondFactorMessages);
  const found = useQuery(secondFactorQuery());
  const { data: factor, error } = found;
  const [byPasskey, setByPasskey] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const Steps = byPasskey ? PasskeySteps : TotpSteps;
  useDocumentTitle(t("setupPageTitle"));
  useSkeletonRemoval();
  if (codes) {
    return (
      <SignInFrame heading={t("codesTitle")} subtitle={t("codesText")}>
        <RecoveryCodes codes={codes} onDone={() => page.reload()} />
      </SignInFrame>
    );
  }
  return (
    <SignInFrame heading={t("setupPageTitle")} subtitle={t("setupPageText")}>
      <div className="grid gap-5">
        {factor ? (
          <Steps
            key={String(byPasskey)}
            asked={factor.confirmation}
            onDone={(recoveryCodes) => (recoveryCodes ? setCodes(recoveryCodes) : page.reload())}
          />
        ) : null}
        {hasPasskeys() ? (
          <Button variant="secondary" onClick={() => setByPasskey(!byPasskey)}>
            {t(byPasskey ? "setUpAppInstead" : "setUpPasskey")}
          </Button>
        ) : null}
        {!factor && !error ? <Skeleton className="h-24" /> : null}
        {error ? <PartFailed found={found} /> : null}
        <OtherAccount />
        <LanguageSwitch />
      </div>
    </SignInFrame>
  );
}
