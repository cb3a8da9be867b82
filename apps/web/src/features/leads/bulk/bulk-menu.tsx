import { limits } from "@portal/contract/limits";
import {
  ChevronDown,
  CircleDot,
  Flag,
  MessageSquare,
  PencilLine,
  PhoneForwarded,
  UserRoundCheck,
} from "lucide-react";
import { type ReactNode, useRef } from "react";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Button } from "../../../ui/button.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../../../ui/dropdown-menu.tsx";
import { openDialer } from "../../dialer/dialer-store.ts";
import { bulkMessages } from "./messages.ts";

const BulkDialog = lateComponent(() => import("./bulk-dialog.tsx"));
const AssignManyDialog = lateComponent(() => import("./assign-many-dialog.tsx"));

interface BulkMenuProps {
  /** Ids of the selected leads. */
  ids: readonly number[];
  /** Called after they were changed, or are being called. */
  onDone: () => void;
  /** The bar has its own button for calls. */
  withoutCall?: boolean;
}

/** Actions for all selected leads. */
export function BulkMenu({ ids, onDone, withoutCall = false }: BulkMenuProps) {
  const t = useMessages(bulkMessages);
  const trigger = useRef<HTMLButtonElement>(null);
  const open = (kind: "status" | "priority" | "text") => () =>
    openDialog((close) => (
      <BulkDialog kind={kind} ids={ids} onDone={onDone} onClose={close} returnFocusTo={trigger} />
    ));
  const assign = () =>
    openDialog((close) => (
      <AssignManyDialog ids={ids} onDone={onDone} onClose={close} returnFocusTo={trigger} />
    ));
  const call = () => {
    openDialer(ids.slice(0, limits.dialerLeadsMax));
    onDone();
  };
  const item = (
    label: string,
    icon: ReactNode,
    onSelect: () => void,
    max: number = limits.leadSelectionMax,
  ) => {
    const isOff = ids.length > max;
    return (
      <DropdownMenuItem key={label} disabled={isOff} onSelect={onSelect}>
        {icon}
        <span className="grid">
          {label}
          {isOff ? (
            <span className="text-muted-foreground text-xs">{t("tooMany", { max: formatNumber(max) })}</span>
          ) : null}
        </span>
      </DropdownMenuItem>
    );
  };
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button ref={trigger} variant="secondary" size="sm" disabled={ids.length === 0}>
          <PencilLine aria-hidden className="max-sm:hidden" />
          {t("menu")}
          <ChevronDown aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {item(t("status"), <CircleDot aria-hidden />, open("status"))}
        {item(t("priority"), <Flag aria-hidden />, open("priority"))}
        {item(t("assign"), <UserRoundCheck aria-hidden />, assign)}
        {item(t("text"), <MessageSquare aria-hidden />, open("text"), limits.bulkTextsMax)}
        {withoutCall ? null : item(t("call"), <PhoneForwarded aria-hidden />, call, limits.dialerLeadsMax)}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
