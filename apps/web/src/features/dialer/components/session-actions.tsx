import type { DialerSession } from "@portal/contract/entities/dialer";
import { Hand, Pause, Phone, PhoneOff, Play, SkipForward } from "lucide-react";
import type { RefObject } from "react";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { useEndCall } from "../../call-dialog/queries.ts";
import { useDialerCommand } from "../queries.ts";
import { accepts, type SessionCommand } from "../session-state.ts";
import { dialerTexts } from "../texts.ts";
import { useSessionKeys } from "../use-session-keys.ts";
import { ActionBar } from "./action-bar.tsx";
import { KeyHints } from "./key-hints.tsx";

interface SessionActionsProps {
  session: DialerSession;
  panel: RefObject<HTMLElement | null>;
  /** Whether what is shown has stood long enough to be what a press is meant for. */
  isSettled: () => boolean;
}

/** The buttons of this moment outside the wrap-up; only those that would change something. */
export function SessionActions({ session, panel, isSettled }: SessionActionsProps) {
  const t = useTexts(dialerTexts);
  const command = useDialerCommand(session);
  const end = useEndCall();
  const { phase, call } = session;
  const shows = (word: SessionCommand) => accepts(session, word);
  const act = (word: SessionCommand) => {
    if (!command.isPending && shows(word)) command.mutate(word);
  };
  // What rings for a lead or passes over one is no second press of the button that stood here before.
  const actOnLead = (word: "call_now" | "resume" | "skip") => {
    if (isSettled()) act(word);
  };
  const pending = (word: SessionCommand) => command.isPending && command.variables === word;
  // No key ends a call: its skip is a button's alone.
  const skipsByKey = shows("skip") && (phase === "countdown" || phase === "waiting");
  useSessionKeys(panel, ({ kind }) => {
    if (kind === "pause") act("pause");
    if (kind === "skip" && skipsByKey) actOnLead("skip");
  });
  return (
    <ActionBar>
      {phase === "calling" && call && call.state !== "ended" ? (
        <Button
          variant="destructive"
          size="lg"
          className="flex-1 basis-full sm:basis-40"
          pending={end.isPending}
          onClick={() => end.mutate(call.id)}
        >
          <PhoneOff aria-hidden />
          {t("endCall")}
        </Button>
      ) : null}
      {shows("call_now") ? (
        <Button
          size="lg"
          className="flex-1 basis-full sm:basis-40"
          pending={pending("call_now")}
          onClick={() => actOnLead("call_now")}
        >
          <Phone aria-hidden />
          {t("callNow")}
        </Button>
      ) : null}
      {shows("resume") ? (
        <Button
          size="lg"
          className="flex-1 basis-full whitespace-normal sm:basis-40"
          pending={pending("resume")}
          onClick={() => actOnLead("resume")}
        >
          <Play aria-hidden />
          {phase === "waiting" ? t("resumeAt", placeOf(session)) : t("resume")}
        </Button>
      ) : null}
      {shows("hold") ? (
        <Button
          variant="secondary"
          size="lg"
          className="max-sm:flex-1"
          pending={pending("hold")}
          onClick={() => act("hold")}
        >
          <Hand aria-hidden />
          {t("hold")}
        </Button>
      ) : null}
      {shows("pause") ? (
        <Button
          variant="secondary"
          size="lg"
          className="max-sm:flex-1"
          pending={pending("pause")}
          onClick={() => act("pause")}
        >
          <Pause aria-hidden />
          {t("pause")}
        </Button>
      ) : null}
      {shows("skip") ? (
        <Button
          variant="secondary"
          size="lg"
          className="max-sm:flex-1"
          pending={pending("skip")}
          onClick={() => actOnLead("skip")}
        >
          <SkipForward aria-hidden />
          {t("skip")}
        </Button>
      ) : null}
      <KeyHints
        only={[...(shows("pause") ? ["pause" as const] : []), ...(skipsByKey ? ["skip" as const] : [])]}
      />
    </ActionBar>
  );
}

/** 'lead 7 of 42': people count from one. */
export function placeOf({ position, total }: Pick<DialerSession, "position" | "total">) {
  return { position: formatNumber(Math.min(position + 1, total)), total: formatNumber(total) };
}
