import { type GoLiveStepState, goLiveStepDays } from "@portal/contract/routes/go-live";
import { CircleCheck, CircleDashed, Clock, ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../../lib/cn.ts";
import { formatDate } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { goLiveMessages } from "./messages.ts";
import { useSetStep } from "./queries.ts";
import { stepMessages } from "./step-messages.ts";
import { type ConsolePage, stepLinks } from "./step-values.ts";

/** A manual step: what, why and where, and who confirmed it when. `children` adds facts for the decision. */
export function StepEntry({ state, children }: { state: GoLiveStepState; children?: ReactNode }) {
  const t = useMessages(goLiveMessages);
  const s = useMessages(stepMessages);
  const save = useSetStep();
  const { step, done, isOpen } = state;
  const Icon = !isOpen ? CircleCheck : done ? Clock : CircleDashed;
  const name = s(step);
  const by = done && { date: formatDate(done.at), name: done.by };
  return (
    <li className="flex gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <Icon
        aria-hidden
        className={cn(
          "mt-0.5 size-4.5 shrink-0",
          isOpen ? (done ? "text-warning-text" : "text-muted-foreground") : "text-success-text",
        )}
      />
      <div className="grid min-w-0 flex-1 gap-1">
        <p>
          <span className="font-medium">{name}</span>
          <span className="sr-only">: {t(isOpen ? (done ? "again" : "todo") : "done")}.</span>
        </p>
        <p className="text-muted-foreground">{s(`${step}_why`)}</p>
        {children}
        <ConsoleLink place={stepLinks[step]} />
        {by ? (
          <p className={cn(isOpen && "text-warning-text")}>
            {isOpen ? t("doneLongAgo", { ...by, days: goLiveStepDays }) : t("doneBy", by)}
          </p>
        ) : null}
        <div className="flex flex-wrap gap-2 pt-1">
          {isOpen ? (
            <Button
              variant="secondary"
              size="sm"
              pending={save.isPending}
              aria-label={t(done ? "markAgainStep" : "markStep", { step: name })}
              onClick={() => save.mutate({ step, isDone: true })}
            >
              {t(done ? "markAgain" : "mark")}
            </Button>
          ) : null}
          {done ? (
            <Button
              variant="ghost"
              size="sm"
              pending={save.isPending}
              aria-label={t("unmarkStep", { step: name })}
              onClick={() => save.mutate({ step, isDone: false })}
            >
              {t("unmark")}
            </Button>
          ) : null}
        </div>
      </div>
    </li>
  );
}

/** A link to the vendor's console, with the path of menus. */
export function ConsoleLink({ place: { href, path } }: { place: ConsolePage }) {
  const t = useMessages(goLiveMessages);
  return (
    <p>
      <a
        href={href}
        target="_blank"
        rel="noreferrer"
        className="inline-flex min-h-6 items-center gap-1 text-primary-text underline underline-offset-4 pointer-coarse:min-h-11"
      >
        <span className="min-w-0">{t("where", { path })}</span>
        <ExternalLink aria-hidden className="size-3.5 shrink-0" />
        <span className="sr-only">({t("opens")})</span>
      </a>
    </p>
  );
}
