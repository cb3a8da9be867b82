import type { Call } from "@portal/contract/entities/call";
import { formatPhone } from "../../../lib/format.ts";
import type { Translate } from "../../../lib/i18n.ts";
import { type CallDialogState, isChecking, leadNeverRung, secondsUntilDialled } from "./call-state.ts";
import type { callDialogMessages } from "./dialog-messages.ts";

type Messages = typeof callDialogMessages.pairs;

/** The dialog's text about the call's current step: a title and a hint, and its progress. */
export interface CallProgress {
  readonly title: string;
  readonly hint: string | null;
  /** Completed steps of: your phone, press 1, lead's phone, talking. The next one is in progress. */
  readonly steps: 0 | 1 | 2 | 3 | 4;
  readonly tone: "waiting" | "active" | "ended" | "failed";
}

export function callProgress(state: CallDialogState, now: number, t: Translate<Messages>): CallProgress {
  const name = state.lead?.name ?? "";
  const { phase, call } = state;
  if (phase === "idle") {
    return state.refusal
      ? { title: t("notStarted"), hint: state.refusal, steps: 0, tone: "failed" }
      : { title: t("ready"), hint: null, steps: 0, tone: "waiting" };
  }
  if (phase === "ended") return endedProgress(state, t);
  if (state.ending || call?.ending)
    return { title: t("ending"), hint: null, steps: stepsOf(state), tone: "waiting" };
  if (call && isJoining(call))
    return { title: t("joining"), hint: t("joiningHint", { name }), steps: 1, tone: "waiting" };
  switch (call?.state) {
    case "ringing_rep": {
      const { officeLine } = call;
      const title = officeLine
        ? t("ringingOffice", { phone: formatPhone(officeLine) })
        : t("ringingPersonal");
      return { title, hint: t("ringingHint", { name }), steps: 0, tone: "waiting" };
    }
    case "confirming":
      return {
        title: confirmingTitle(call, t),
        hint: t("confirmingHint", { name }),
        steps: 1,
        tone: "waiting",
      };
    case "ringing_lead":
      return { title: t("ringingLead", { name }), hint: t("ringingLeadHint"), steps: 2, tone: "waiting" };
    case "in_progress":
      return { ...talkProgress(call, name, t), steps: 3 };
    default: {
      const seconds = secondsUntilDialled(state, now);
      return seconds > 0
        ? { title: t("waiting", { seconds }), hint: t("waitingHint"), steps: 0, tone: "waiting" }
        : { title: t("connecting"), hint: connectingHint(call, t), steps: 0, tone: "waiting" };
    }
  }
}

function connectingHint(call: Call | null, t: Translate<Messages>): string {
  return call?.officeLine
    ? t("connectingOffice", { phone: formatPhone(call.officeLine) })
    : t("connectingHint");
}

/** Whether the lead is about to be rung on the consultant's open line, so that their own phone does not ring. */
export function isJoining({ onLine, state }: Call): boolean {
  return onLine && (state === "requested" || state === "ringing_rep" || state === "confirming");
}

/** On which phone 1 has to be pressed. */
export function confirmingTitle({ officeLine }: Call, t: Translate<Messages>): string {
  return t(officeLine ? "confirmingOffice" : "confirming");
}

const talkHints = {
  person: "inProgressHint",
  unknown: "unknownHint",
  not_asked: "notAskedHint",
} as const;

/** Who answered, as far as it is known. */
export function talkProgress(
  { answeredBy }: Call,
  name: string,
  t: Translate<Messages>,
): Pick<CallProgress, "title" | "hint" | "tone"> {
  if (answeredBy === null) return { title: t("checking"), hint: t("checkingHint"), tone: "waiting" };
  if (answeredBy === "machine")
    return { title: t("machine"), hint: t("machineHint", { name }), tone: "active" };
  return { title: t("inProgress"), hint: t(talkHints[answeredBy], { name }), tone: "active" };
}

function resultHint(call: Call, t: Translate<Messages>): string | null {
  if (isChecking(call)) return t("checking");
  if (call.result === "rep_not_reached" && call.officeLine) return t("results_office_not_reached");
  return call.result && t(`results_${call.result}`);
}

function endedProgress(state: CallDialogState, t: Translate<Messages>): CallProgress {
  const hint = state.call?.failure ?? (state.call && resultHint(state.call, t));
  return { title: t("ended"), hint, steps: stepsOf(state), tone: leadNeverRung(state) ? "failed" : "ended" };
}

function stepsOf({ call }: CallDialogState): CallProgress["steps"] {
  if (!call) return 0;
  if (call.answeredAt) return call.state === "ended" ? 4 : 3;
  if (call.leadRingingAt) return 2;
  return call.state === "confirming" ? 1 : 0;
}
