import type { RouteResponse } from "@portal/contract/route";
import {
  type GoLiveStepState,
  type getGoLive,
  goLiveStepDays,
  type TestCall,
} from "@portal/contract/routes/go-live";
import { Link } from "@tanstack/react-router";
import {
  CircleCheck,
  CircleDashed,
  CircleX,
  Clock,
  ExternalLink,
  type LucideIcon,
  PhoneCall,
  TriangleAlert,
} from "lucide-react";
import type { ReactNode } from "react";
import { useClock } from "../../lib/clock.tsx";
import { cn } from "../../lib/cn.ts";
import { formatDate, formatPhone, formatRelative } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { failureMessages, goLiveMessages, stepMessages, testCallMessages } from "./messages.ts";
import { useSetStep, useStartTestCall } from "./queries.ts";
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

const looks: Record<TestCall["state"], { icon: LucideIcon; className: string }> = {
  calling: { icon: PhoneCall, className: "text-muted-foreground" },
  ringing: { icon: PhoneCall, className: "text-muted-foreground" },
  answered: { icon: PhoneCall, className: "text-muted-foreground" },
  passed: { icon: CircleCheck, className: "text-success-text" },
  unanswered: { icon: TriangleAlert, className: "text-warning-text" },
  not_reached: { icon: CircleX, className: "text-danger-text" },
  refused: { icon: CircleX, className: "text-danger-text" },
};

function lookOf(call: TestCall | null): { icon: LucideIcon; className: string } {
  if (!call) return { icon: CircleDashed, className: "text-muted-foreground" };
  if (call.state === "passed" && call.isOpen) return { icon: Clock, className: "text-warning-text" };
  return looks[call.state];
}

type Props = Pick<RouteResponse<typeof getGoLive>, "testCall" | "ownPhone" | "canCall">;

/** The test call to the user's own phone, with the live result of the last one. */
export function TestCallEntry({ testCall, ownPhone, canCall }: Props) {
  const t = useMessages(testCallMessages);
  const start = useStartTestCall();
  const { icon: Icon, className } = lookOf(testCall);
  return (
    <li className="flex gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <Icon aria-hidden className={cn("mt-0.5 size-4.5 shrink-0", className)} />
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="font-medium">{t("title")}</p>
        <p className="text-muted-foreground">{t("why")}</p>
        <div role="status" className="grid gap-1">
          {testCall ? <Result call={testCall} /> : <p>{t("none")}</p>}
        </div>
        <div className="flex flex-wrap items-center gap-2 pt-1">
          {canCall && ownPhone ? (
            <Button
              variant="secondary"
              size="sm"
              pending={start.isPending || testCall?.isLive === true}
              onClick={() => start.mutate()}
            >
              {start.isPending || testCall?.isLive ? null : <PhoneCall aria-hidden />}
              {t("start", { phone: formatPhone(ownPhone) })}
            </Button>
          ) : (
            <p className="text-muted-foreground">{t(canCall ? "noPhone" : "off")}</p>
          )}
          {canCall && !ownPhone ? (
            <Button variant="secondary" size="sm" asChild>
              <Link to="/settings">{t("settings")}</Link>
            </Button>
          ) : null}
        </div>
      </div>
    </li>
  );
}

/** Why the provider did not place the call. */
function useReason(failure: TestCall["failure"]): string {
  const t = useMessages(failureMessages) as (key: string, values?: Record<string, unknown>) => string;
  if (!failure) return "";
  const { kind, code } = failure;
  const ofCode = `code_${code}`;
  const reason = t(ofCode in failureMessages.pairs ? ofCode : kind);
  return code === null ? reason : t("coded", { reason, code: String(code) });
}

function Result({ call: { state, askedBy, askedAt, failure, isOpen } }: { call: TestCall }) {
  const t = useMessages(testCallMessages);
  const reason = useReason(failure);
  // Re-renders, as the text contains a relative time.
  useClock((now) => String(Math.floor(now / 10_000)));
  return (
    <>
      <p>{state === "refused" ? t("refused", { reason }) : t(state)}</p>
      {state === "passed" && isOpen ? (
        <p className="text-warning-text">{t("again", { days: goLiveStepDays })}</p>
      ) : null}
      {state === "not_reached" ? <p className="text-muted-foreground">{t("notReachedTodo")}</p> : null}
      <p className="text-muted-foreground">{t("asked", { name: askedBy, when: formatRelative(askedAt) })}</p>
    </>
  );
}
