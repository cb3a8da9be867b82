import type { DialerSource } from "@portal/contract/entities/dialer";
import { leadStatuses } from "@portal/contract/entities/lead";
import { type LineBrief, type LineMode, lineModes } from "@portal/contract/entities/line";
import { limits } from "@portal/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { leadLabelMessages } from "../../../lib/lead-label-messages.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { CheckboxField } from "../../../ui/checkbox.tsx";
import { ChoiceCards } from "../../../ui/choice-cards.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { voicemailMessagesQuery } from "../../telephony/voicemail-messages/queries.ts";
import { useDialerScreen } from "../dialer-store.ts";
import { dialerMessages, lineMessages } from "../messages.ts";
import { type DialerList, useStartDialer } from "../queries.ts";
import { lastStartQuery } from "../session-query.ts";
import { setupMessages } from "../setup-messages.ts";
import { BriefSelect } from "./line-strip.tsx";
import { Preview } from "./preview.tsx";
import { ActionBar } from "./session-actions.tsx";
import { type DelaySeconds, DelaySelect, StatusBadge } from "./session-header.tsx";

type StatusFilter = Extract<DialerSource, { kind: "filter" }>["status"];
type Order = "createdAt" | "smart";

/** The form before a session: which leads, in which order and with which delay, with a preview next to Start. */
export default function DialerSetup() {
  const t = useMessages(setupMessages);
  const dialer = useMessages(dialerMessages);
  const label = useMessages(leadLabelMessages);
  const { selection } = useDialerScreen();
  const { data: user } = useQuery(currentUserQuery());
  const [kind, setKind] = useState<SourceKind>(selection.length > 0 ? "selection" : "filter");
  const [status, setStatus] = useState<StatusFilter>("new");
  const [order, setOrder] = useState<Order>("createdAt");
  const [delaySeconds, setDelay] = useState<DelaySeconds>(limits.dialerDelayDefaultSeconds);
  const start = useStartDialer();
  const { data: recorded } = useQuery(voicemailMessagesQuery());
  const mayLeave = recorded?.isOn === true && recorded.messages.some(({ isDefault }) => isDefault);
  const [chosen, setLeaveMessage] = useState<boolean | null>(null);
  const { data: lastStart } = useQuery(lastStartQuery());
  const [chosenLine, setLine] = useState<LineChoice | null>(null);
  const { lineMode, brief } = chosenLine ?? lastStart ?? recordedChoice;
  const leaveMessage = chosen ?? lastStart?.leaveMessage ?? false;
  const [includeTried, setIncludeTried] = useState(false);
  const source = sourceOf(kind, status, selection);
  // Selected leads, and those who called, are dialed no matter when they were tried.
  const mayPassOver = source.kind === "filter" || source.kind === "follow_ups";
  const list: DialerList = { source, order, includeTried: mayPassOver && includeTried };

  return (
    <div className="flex min-h-full flex-col gap-4">
      <div className="flex items-center gap-3">
        <StatusBadge status="idle" />
      </div>
      <SourcePicker value={source.kind} onChange={setKind} selected={selection.length} />
      <div className="grid items-start gap-4 sm:grid-cols-3">
        {source.kind === "filter" ? (
          <Field label={t("statusFilter")}>
            {(control) => (
              <Select<StatusFilter>
                {...control}
                value={status}
                onValueChange={setStatus}
                options={[
                  { value: "all", label: t("allStatuses") },
                  ...leadStatuses.map((value) => ({ value, label: label(value) })),
                ]}
              />
            )}
          </Field>
        ) : null}
        <Field label={t("order")} hint={t(order === "smart" ? "orderSmartHint" : "orderCreatedAtHint")}>
          {(control) => (
            <Select<Order>
              {...control}
              value={order}
              onValueChange={setOrder}
              options={[
                { value: "createdAt", label: t("order_createdAt") },
                { value: "smart", label: t("order_smart") },
              ]}
            />
          )}
        </Field>
        <Field label={dialer("delay")}>
          {(control) => <DelaySelect {...control} value={delaySeconds} onChange={setDelay} />}
        </Field>
      </div>
      {mayPassOver ? (
        <CheckboxField checked={includeTried} onChange={setIncludeTried}>
          {t("includeTried")}
        </CheckboxField>
      ) : null}
      {mayLeave ? (
        <CheckboxField checked={leaveMessage} hint={t("leaveMessageHint")} onChange={setLeaveMessage}>
          {t("leaveMessage")}
        </CheckboxField>
      ) : null}
      <LineModeFields value={{ lineMode, brief }} onChange={setLine} />
      <Preview list={list} />
      {user?.autoDial === false ? <p className="text-muted-foreground text-sm">{t("byHand")}</p> : null}
      <ActionBar>
        <Button
          size="lg"
          className="flex-1 sm:ml-auto sm:min-w-48 sm:flex-none"
          pending={start.isPending}
          onClick={() =>
            start.mutate({ ...list, delaySeconds, lineMode, brief, ...(mayLeave && { leaveMessage }) })
          }
        >
          {start.isPending ? null : <Play aria-hidden className="fill-current" />}
          {t(start.isPending ? "starting" : "start")}
        </Button>
      </ActionBar>
    </div>
  );
}

type SetupSource = Extract<DialerSource, { kind: SourceKind }>;

function sourceOf(kind: SourceKind, status: StatusFilter, selection: readonly number[]): SetupSource {
  switch (kind) {
    case "selection":
      // The selection on the leads page may have been cleared meanwhile.
      return selection.length > 0 ? { kind, leadIds: [...selection] } : { kind: "filter", status };
    case "filter":
      return { kind, status };
    case "follow_ups":
    case "call_back":
      return { kind };
  }
}

/** Sessions of the Today list are started on its page. */
type SourceKind = Exclude<DialerSource["kind"], "today">;

interface SourcePickerProps {
  value: SourceKind;
  onChange: (kind: SourceKind) => void;
  /** Number of cards selected on the leads page. */
  selected: number;
}

/** The sources of a session as cards; selected leads only if there are any. */
function SourcePicker({ value, onChange, selected }: SourcePickerProps) {
  const t = useMessages(setupMessages);
  const sources: { kind: SourceKind; hint: string }[] = [
    ...(selected > 0
      ? [{ kind: "selection" as const, hint: t("source_selectionHint", { count: selected }) }]
      : []),
    { kind: "filter", hint: t("source_filterHint") },
    { kind: "follow_ups", hint: t("source_follow_upsHint") },
    { kind: "call_back", hint: t("source_call_backHint") },
  ];
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium text-[0.8125rem] leading-5">{t("source")}</legend>
      <ChoiceCards
        value={value}
        onChange={onChange}
        choices={sources.map(({ kind, hint }) => ({ value: kind, label: t(`source_${kind}`), hint }))}
        className={sources.length === 3 ? "sm:grid-cols-3" : "sm:grid-cols-2"}
      />
    </fieldset>
  );
}

/** How a session calls its consultant. */
interface LineChoice {
  lineMode: LineMode;
  brief: LineBrief;
}

const recordedChoice: LineChoice = { lineMode: "each_call", brief: "short" };

interface LineModeFieldsProps {
  value: LineChoice;
  onChange: (choice: LineChoice) => void;
}

/** How a session calls its consultant: a ring for each lead, or one open line with a choice of briefs. */
function LineModeFields({ value, onChange }: LineModeFieldsProps) {
  const t = useMessages(lineMessages);
  return (
    <div className="grid gap-3">
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-medium text-[0.8125rem] leading-5">{t("mode")}</legend>
        <ChoiceCards
          value={value.lineMode}
          onChange={(lineMode) => onChange({ ...value, lineMode })}
          choices={lineModes.map((mode) => ({
            value: mode,
            label: t(`mode_${mode}`),
            hint: t(`mode_${mode}Hint`),
          }))}
          className="sm:grid-cols-2"
        />
      </fieldset>
      {value.lineMode === "open_line" ? (
        <Field label={t("brief")}>
          {(control) => (
            <BriefSelect
              {...control}
              value={value.brief}
              onChange={(brief) => onChange({ ...value, brief })}
            />
          )}
        </Field>
      ) : null}
    </div>
  );
}
