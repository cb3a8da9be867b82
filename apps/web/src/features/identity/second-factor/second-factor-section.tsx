import type { Passkey } from "@portal/contract/routes/second-factor";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { formatDate } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Button } from "../../../ui/button.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { PartFailed, Skeleton } from "../../../ui/list-states.tsx";
import { hasPasskeys } from "../auth/queries.ts";
import { secondFactorMessages } from "./messages.ts";
import { secondFactorQuery } from "./queries.ts";
import type { FactorChange } from "./second-factor-dialog.tsx";

const SecondFactorDialog = lateComponent(() => import("./second-factor-dialog.tsx"));

/** The second factor in Settings: what is set up, and what can be done with it. */
export function SecondFactorSection() {
  const t = useMessages(secondFactorMessages);
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const found = useQuery(secondFactorQuery());
  const { data: factor, error } = found;
  const hasFactor = factor !== undefined && (factor.totp || factor.passkeys.length > 0);
  const open = (change: FactorChange) =>
    openDialog((close) => (
      <SecondFactorDialog
        change={change}
        asked={factor?.confirmation ?? "none"}
        onClose={close}
        returnFocusTo={title}
      />
    ));
  return (
    <section aria-labelledby={titleId} className="grid gap-3 border-t pt-5">
      <div className="grid gap-0.5">
        {/* A dialog's button may have disappeared when it closes; the focus then returns here. */}
        <h3 ref={title} id={titleId} tabIndex={-1} className="font-semibold outline-none">
          {t("title")}
        </h3>
        <p className="text-muted-foreground text-sm">{t("sectionText")}</p>
      </div>
      {error ? <PartFailed found={found} /> : null}
      {!factor && !error ? <Skeleton className="h-12" /> : null}
      {factor ? (
        <>
          <p className="text-sm">
            {t(factor.totp ? "appOn" : "appOff")}
            {hasFactor ? ` ${t("codesLeft", { count: factor.recoveryCodes })}` : null}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button
              variant="secondary"
              size="sm"
              aria-haspopup="dialog"
              onClick={() => open({ kind: factor.totp ? "removeApp" : "setUpApp" })}
            >
              {t(factor.totp ? "removeApp" : "setUpApp")}
            </Button>
            {hasFactor ? (
              <Button
                variant="secondary"
                size="sm"
                aria-haspopup="dialog"
                onClick={() => open({ kind: "newCodes" })}
              >
                {t("newCodes")}
              </Button>
            ) : null}
          </div>
          {hasPasskeys() || factor.passkeys.length > 0 ? (
            <PasskeyList passkeys={factor.passkeys} onChange={open} />
          ) : null}
        </>
      ) : null}
    </section>
  );
}

interface PasskeyListProps {
  passkeys: readonly Passkey[];
  onChange: (change: FactorChange) => void;
}

/** The passkeys, each with rename and remove, and a button that adds one of this device. */
function PasskeyList({ passkeys, onChange }: PasskeyListProps) {
  const t = useMessages(secondFactorMessages);
  return (
    <div className="grid gap-3 pt-2">
      <div className="grid gap-0.5">
        <h4 className="font-medium text-sm">{t("passkeys")}</h4>
        <p className="text-muted-foreground text-sm">{t("passkeysText")}</p>
      </div>
      {passkeys.length > 0 ? (
        <ul className="divide-y">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center gap-2 py-3 first:pt-0 last:pb-0">
              <div className="grid min-w-0 flex-1 basis-52 gap-0.5">
                <p className="break-words font-medium text-sm">{passkey.name}</p>
                <p className="text-[0.8125rem] text-muted-foreground">
                  {[
                    t("passkeyAddedOn", { date: formatDate(passkey.createdAt) }),
                    passkey.lastUsedAt && t("passkeyUsedOn", { date: formatDate(passkey.lastUsedAt) }),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </p>
              </div>
              <Button
                variant="secondary"
                size="sm"
                aria-haspopup="dialog"
                aria-label={t("renameLabel", { name: passkey.name })}
                onClick={() => onChange({ kind: "rename", passkey })}
              >
                {t("rename")}
              </Button>
              <Button
                variant="secondary"
                size="sm"
                aria-haspopup="dialog"
                aria-label={t("removeLabel", { name: passkey.name })}
                onClick={() => onChange({ kind: "removePasskey", passkey })}
              >
                {t("remove")}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      {hasPasskeys() ? (
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-start"
          aria-haspopup="dialog"
          onClick={() => onChange({ kind: "addPasskey" })}
        >
          {t("addPasskey")}
        </Button>
      ) : null}
    </div>
  );
}
