import type { Lead } from "@portal/contract/entities/lead";
import type { ContactRefusal } from "@portal/contract/errors";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useRef, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import type { Channel } from "../refusal-words.ts";
import { refusalTexts } from "../texts.ts";

const OverrideDialog = lazy(() => import("./override-dialog.tsx"));

/** Nobody's reason helps against these. */
const final: readonly ContactRefusal[] = ["no_phone", "invalid_phone", "lead_on_call", "rep_on_call"];

interface ContactRefusalProps {
  /** What the button that is off is described by. */
  id: string;
  lead: Pick<Lead, "name">;
  channel: Channel;
  refusal: ContactRefusal;
  /** The refusal in words. */
  words: string;
  /** An administrator gave a reason to go on. */
  onOverride: (reason: string) => void;
}

/**
 * Below a button that is off: why, and when it will be on again. A finger has no tooltip, so that it is written out, except that the
 * rep is on a call, which the bar says. Administrators may go on with a reason.
 */
export function ContactRefusalLine({ id, lead, channel, refusal, words, onOverride }: ContactRefusalProps) {
  const t = useTexts(refusalTexts);
  const { data: user } = useQuery(currentUserQuery());
  const [asking, setAsking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const mayOverride = user?.role === "admin" && !final.includes(refusal);
  return (
    <>
      <p
        id={id}
        className={refusal === "rep_on_call" ? "sr-only" : "order-last w-full text-muted-foreground text-xs"}
      >
        {words}
      </p>
      {mayOverride ? (
        <Button
          ref={opener}
          variant="link"
          size="sm"
          className="order-last h-auto px-0"
          onClick={() => setAsking(true)}
        >
          {t(channel === "call" ? "callAnyway" : "textAnyway")} <span className="sr-only">{lead.name}</span>
        </Button>
      ) : null}
      {asking ? (
        <Suspense fallback={null}>
          <OverrideDialog
            channel={channel}
            leadName={lead.name}
            refusal={words}
            onConfirm={onOverride}
            onClose={() => setAsking(false)}
            returnFocusTo={opener}
          />
        </Suspense>
      ) : null}
    </>
  );
}
