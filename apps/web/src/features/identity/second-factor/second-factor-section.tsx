import { useQuery } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { errorText } from "../../../lib/errors.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Button } from "../../../ui/button.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { PartFailed } from "../../../ui/list-states.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { secondFactorMessages } from "./messages.ts";
import { secondFactorQuery } from "./queries.ts";
import type { FactorChange } from "./second-factor-dialog.tsx";

const SecondFactorDialog = lateComponent(() => import("./second-factor-dialog.tsx"));

/** The second factor in Settings: what is set up, and what can be done with it. */
export function SecondFactorSection() {
  const t = useMessages(secondFactorMessages);
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const { data: factor, error, isFetching, refetch } = useQuery(secondFactorQuery());
  const changes: FactorChange[] = factor?.totp ? ["newCodes", "removeApp"] : ["setUpApp"];
  return (
    <section aria-labelledby={titleId} className="grid gap-3 border-t pt-5">
      <div className="grid gap-0.5">
        {/* A button may be gone after its dialog: the focus then returns here. */}
        <h3 ref={title} id={titleId} tabIndex={-1} className="font-semibold outline-none">
          {t("title")}
        </h3>
        <p className="text-muted-foreground text-sm">{t("sectionText")}</p>
      </div>
      {error ? (
        <PartFailed
          message={errorText(error)}
          error={error}
          pending={isFetching}
          onRetry={() => void refetch()}
        />
      ) : null}
      {!factor && !error ? <Skeleton className="h-12" /> : null}
      {factor ? (
        <>
          <p className="text-sm">
            {t(factor.totp ? "appOn" : "appOff")}
            {factor.totp ? ` ${t("codesLeft", { count: factor.recoveryCodes })}` : null}
          </p>
          <div className="flex flex-wrap gap-2">
            {changes.map((change) => (
              <Button
                key={change}
                variant="secondary"
                size="sm"
                aria-haspopup="dialog"
                onClick={() =>
                  openDialog((close) => (
                    <SecondFactorDialog
                      change={change}
                      asked={factor.confirmation}
                      onClose={close}
                      returnFocusTo={title}
                    />
                  ))
                }
              >
                {t(change)}
              </Button>
            ))}
          </div>
        </>
      ) : null}
    </section>
  );
}
