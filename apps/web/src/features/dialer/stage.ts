import type { DialerSession } from "@portal/contract/entities/dialer";
import type { Translate } from "../../lib/i18n.ts";
import type { callDialogTexts } from "../call-dialog/dialog-texts.ts";
import { secondsUntilDialled } from "./session-state.ts";
import type { dialerTexts } from "./texts.ts";

/** What the session does now, in words: a title, and a line below it on what to do. */
export interface DialerStage {
  readonly title: string;
  readonly hint: string | null;
  readonly tone: "calm" | "ringing" | "talking" | "paused";
}

type Say = Translate<(typeof dialerTexts)["pairs"]>;
type SayCall = Translate<(typeof callDialogTexts)["pairs"]>;

interface StageInput {
  session: DialerSession;
  serverNow: number;
}

export function dialerStage({ session, serverNow }: StageInput, t: Say, call: SayCall): DialerStage {
  const { phase, status, pauseReason } = session;
  const name = session.call?.leadName ?? session.lead?.name ?? "";
  const paused = status === "paused";
  switch (phase) {
    case "checking":
      return paused ? pausedStage(pauseReason, t) : calm(t("checking", { name }), t("checkingHint"));
    case "calling": {
      const stage = callStage(session, name, serverNow, t, call);
      return paused ? { ...stage, hint: t("pausedCallGoesOn") } : stage;
    }
    case "wrap_up":
      return calm(t("wrapUp", { name }), paused ? t("pausedTitle") : t("wrapUpHint"));
    case "countdown":
      return calm(t("countdown", { name }), session.again ? t("countdownAgain") : null);
    case "waiting":
      if (paused) return pausedStage(pauseReason, t);
      return calm(t("waiting", { name }), session.autoDial ? t("waitingHeld") : t("waitingByHand"));
  }
}

function calm(title: string, hint: string | null): DialerStage {
  return { title, hint, tone: "calm" };
}

function pausedStage(reason: DialerSession["pauseReason"], t: Say): DialerStage {
  return { title: t("pausedTitle"), hint: reason ? t(`reason_${reason}`) : null, tone: "paused" };
}

function callStage(
  session: DialerSession,
  name: string,
  serverNow: number,
  t: Say,
  call: SayCall,
): DialerStage {
  const seconds = secondsUntilDialled(session, serverNow);
  // The seconds stand apart: a screen reader hears each step, not each second.
  if (seconds > 0) return calm(t("paced"), call("waitingHint"));
  if (session.call?.ending) return calm(call("ending"), null);
  switch (session.call?.state) {
    case "ringing_rep": {
      const office = session.call.repLine === "office";
      return ringing(call(office ? "ringingOffice" : "ringingPersonal"), call("ringingHint", { name }));
    }
    case "confirming":
      return ringing(call("confirming"), call("confirmingHint", { name }));
    case "ringing_lead":
      return ringing(call("ringingLead", { name }), call("ringingLeadHint"));
    case "in_progress":
      return { title: call("inProgress"), hint: call("inProgressHint", { name }), tone: "talking" };
    case "ended":
      return calm(t("callEnded"), t("callEndedHint"));
    default:
      return calm(t("connecting"), t("connectingHint"));
  }
}

function ringing(title: string, hint: string): DialerStage {
  return { title, hint, tone: "ringing" };
}
