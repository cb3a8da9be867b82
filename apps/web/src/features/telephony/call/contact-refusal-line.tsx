import type { Lead } from "@portal/contract/entities/lead";
import type { ContactRefusal } from "@portal/contract/errors";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode, RefObject } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { type Channel, refusalMessages } from "./messages.ts";

const OverrideDialog = lateComponent(() => import("./override-dialog.tsx"));
const ConsentDialog = lateComponent(() => import("./consent-dialog.tsx"));

type Opener = RefObject<HTMLElement | null>;

interface ContactRefusalProps {
  /** Id that describes the disabled button. */
  id: string;
  lead: Pick<Lead, "id" | "name" | "callOverride" | "textOverride">;
  channel: Channel;
  refusal: ContactRefusal;
  /** The refusal as text. */
  message: string;
  /** Called with an administrator's reason. */
  onOverride: (reason: string) => void;
}

/**
 * Below a disabled button: why, and from when it will be enabled. Touch screens have no tooltips, so it is text, except while the
 * consultant is on a call, which the bar shows. A missing consent can be recorded; administrators may override with a reason.
 */
export function ContactRefusalLine({ id, lead, channel, refusal, message, onOverride }: ContactRefusalProps) {
  const t = useMessages(refusalMessages);
  const { data: user } = useQuery(currentUserQuery());
  const mayOverride = user?.role === "admin" && lead[`${channel}Override`];

  function link(
    label: string,
    dialog: (common: { onClose: () => void; returnFocusTo: Opener }) => ReactNode,
  ) {
    return (
      <Button
        variant="link"
        size="inline"
        className="order-last"
        onClick={({ currentTarget }) =>
          openDialog((onClose) => dialog({ onClose, returnFocusTo: { current: currentTarget } }))
        }
      >
        {label} <span className="sr-only">{lead.name}</span>
      </Button>
    );
  }

  return (
    <>
      <p
        id={id}
        className={refusal === "rep_on_call" ? "sr-only" : "order-last w-full text-muted-foreground text-xs"}
      >
        {message}
      </p>
      {refusal === "no_consent"
        ? link(t("recordConsent"), (common) => <ConsentDialog action="record" lead={lead} {...common} />)
        : null}
      {mayOverride
        ? link(t(`${channel}Anyway`), (common) => (
            <OverrideDialog
              channel={channel}
              leadName={lead.name}
              refusal={message}
              onConfirm={onOverride}
              {...common}
            />
          ))
        : null}
    </>
  );
}
