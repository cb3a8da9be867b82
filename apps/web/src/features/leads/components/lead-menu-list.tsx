import type { Lead } from "@portal/contract/entities/lead";
import { CalendarPlus, Merge, UserRoundCheck } from "lucide-react";
import { useRef } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../../../ui/dropdown-menu.tsx";
import { mergeMessages } from "../../lead-merge/messages.ts";
import { assignmentMessages } from "../assignment-messages.ts";
import { leadCardMessages } from "../messages.ts";
import { LeadMenuButton } from "./lead-menu-button.tsx";

const AssignDialog = lateComponent(() => import("./assign-dialog.tsx"));
const MergeDialog = lateComponent(() => import("../../lead-merge/merge-dialog.tsx"));
const MeetingDialog = lateComponent(() => import("../../meetings/meeting-dialog.tsx"));

/** The menu of a lead, initially open, as it is loaded on demand. */
export default function LeadMenuList({ lead, opened }: { lead: Lead; opened: "pointer" | "keyboard" }) {
  const t = useMessages(assignmentMessages);
  const card = useMessages(leadCardMessages);
  const merging = useMessages(mergeMessages);
  const trigger = useRef<HTMLButtonElement>(null);
  const schedule = () =>
    openDialog((close) => <MeetingDialog lead={lead} onClose={close} returnFocusTo={trigger} />);
  const assign = () =>
    openDialog((close) => <AssignDialog lead={lead} onClose={close} returnFocusTo={trigger} />);
  const merge = () =>
    openDialog((close) => <MergeDialog lead={lead} onClose={close} returnFocusTo={trigger} />);
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
        <DropdownMenuItem onSelect={merge}>
          <Merge aria-hidden />
          {merging("menu")}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
