import type { Lead } from "@portal/contract/entities/lead";
import { CalendarPlus, UserRoundCheck } from "lucide-react";
import { lazy, useRef } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../../../ui/dropdown-menu.tsx";
import { assignmentTexts } from "../assignment-texts.ts";
import { leadCardTexts } from "../texts.ts";
import { LeadMenuButton } from "./lead-menu-button.tsx";

const AssignDialog = lazy(() => import("./assign-dialog.tsx"));
const MeetingDialog = lazy(() => import("../../calendar/meeting-dialog.tsx"));

/** The menu of a lead, open from the start: it is loaded when it is asked for. */
export default function LeadMenuList({ lead, opened }: { lead: Lead; opened: "pointer" | "keyboard" }) {
  const t = useTexts(assignmentTexts);
  const card = useTexts(leadCardTexts);
  const trigger = useRef<HTMLButtonElement>(null);
  const schedule = () =>
    openDialog((close) => <MeetingDialog lead={lead} onClose={close} returnFocusTo={trigger} />);
  const assign = () =>
    openDialog((close) => <AssignDialog lead={lead} onClose={close} returnFocusTo={trigger} />);
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>
        <LeadMenuButton ref={trigger} name={lead.name} />
      </DropdownMenuTrigger>
      <DropdownMenuContent focusFirst={opened === "keyboard"}>
        <DropdownMenuItem onSelect={schedule}>
          <CalendarPlus aria-hidden />
          {card("scheduleMeeting")}
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={assign}>
          <UserRoundCheck aria-hidden />
          {lead.assignedTo === null ? t("assignTitle") : t("transferTitle")}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
