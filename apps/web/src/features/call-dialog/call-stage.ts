import type { Translate } from "../../lib/i18n.ts";
import { type CallDialogState, leadNeverRung, secondsUntilDialled } from "./call-state.ts";
import type { callDialogTexts } from "./dialog-texts.ts";

type Texts = typeof callDialogTexts.pairs;

/** What the dialog says about the call right now: a title, a line below it, and how far the call has come. */
export interface CallStage {
  readonly title: string;
  readonly hint: string | null;
  /** Steps done of: your phone, press 1, lead's phone, talking. The next one is under way. */
  readonly steps: 0 | 1 | 2 | 3 | 4;
  readonly tone: "waiting" | "active" | "ended" | "failed";
}

export function callStage(state: CallDialogState, now: number, t: Translate<Texts>): CallStage {
  const name = state.lead?.name ?? "";
  const { phase, call } = state;
  if (phase === "idle") {
    return state.refusal
      ? { title: t("notStarted"), hint: state.refusal, steps: 0, tone: "failed" }
      : { title: t("ready"), hint: null, steps: 0, tone: "waiting" };
  }
  if (phase === "ended") return endedStage(state, t);
  if (state.ending || call?.ending)
    return { title: t("ending"), hint: null, steps: stepsOf(state), tone: "waiting" };
  switch (call?.state) {
    case "ringing_rep": {
      const title = call.repLine === "office" ? t("ringingOffice") : t("ringingPersonal");
      return { title, hint: t("ringingHint", { name }), steps: 0, tone: "waiting" };
    }
    case "confirming":
      return { title: t("confirming"), hint: t("confirmingHint", { name }), steps: 1, tone: "waiting" };
    case "ringing_lead":
      return { title: t("ringingLead", { name }), hint: t("ringingLeadHint"), steps: 2, tone: "waiting" };
    case "in_progress":
      return { title: t("inProgress"), hint: t("inProgressHint", { name }), steps: 3, tone: "active" };
    default: {
      const seconds = secondsUntilDialled(state, now);
      return seconds > 0
        ? { title: t("waiting", { seconds }), hint: t("waitingHint"), steps: 0, tone: "waiting" }
        : { title: t("connecting"), hint: t("connectingHint"), steps: 0, tone: "waiting" };
    }
  }
}

function endedStage(state: CallDialogState, t: Translate<Texts>): CallStage {
  const result = state.call?.result;
  const hint = state.call?.failure ?? (result ? t(`results_${result}`) : null);
  return { title: t("ended"), hint, steps: stepsOf(state), tone: leadNeverRung(state) ? "failed" : "ended" };
}

function stepsOf({ call }: CallDialogState): CallStage["steps"] {
  if (!call) return 0;
  if (call.answeredAt) return call.state === "ended" ? 4 : 3;
  if (call.leadRingingAt) return 2;
  return call.state === "confirming" ? 1 : 0;
}
