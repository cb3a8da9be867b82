import type { Lead } from "@portal/contract/entities/lead";
import { ShieldCheck } from "lucide-react";
import { useRef } from "react";
import { formatDate } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Button } from "../../../ui/button.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { consentMessages } from "./contact-policy-messages.ts";

const ConsentDialog = lateComponent(() => import("./consent-dialog.tsx"));

type ConsentLineProps = Pick<Lead, "id" | "name" | "consentAt" | "consentSource">;

/** On a card: when and how the lead agreed to be contacted, with a button to withdraw it. */
export default function ConsentLine({ lead }: { lead: ConsentLineProps }) {
  const t = useMessages(consentMessages);
  const opener = useRef<HTMLButtonElement>(null);
  if (!lead.consentAt) return null;
  return (
    <p className="flex items-baseline gap-2 text-sm">
      <ShieldCheck aria-hidden className="size-3.5 shrink-0 self-center text-muted-foreground" />
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {t("given", { date: formatDate(lead.consentAt), source: lead.consentSource ?? "" })}
      </span>
      <Button
        ref={opener}
        variant="link"
        size="inline"
        className="text-xs"
        onClick={() =>
          openDialog((close) => (
            <ConsentDialog action="withdraw" lead={lead} onClose={close} returnFocusTo={opener} />
          ))
        }
      >
        {t("withdraw")} <span className="sr-only">{lead.name}</span>
      </Button>
    </p>
  );
}
