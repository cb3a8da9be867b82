import type { Lead } from "@portal/contract/entities/lead";
import { CalendarPlus, UserRoundCheck } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
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
  const [isAssigning, setAssigning] = useState(false);
  const [isScheduling, setScheduling] = useState(false);
  return (
    <>
      <DropdownMenu defaultOpen>
        <DropdownMenuTrigger asChild>
          <LeadMenuButton ref={trigger} name={lead.name} />
        </DropdownMenuTrigger>
        <DropdownMenuContent focusFirst={opened === "keyboard"}>
          <DropdownMenuItem onSelect={() => setScheduling(true)}>
            <CalendarPlus aria-hidden />
            {card("scheduleMeeting")}
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => setAssigning(true)}>
            <UserRoundCheck aria-hidden />
            {lead.assignedTo === null ? t("assignTitle") : t("transferTitle")}
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {isScheduling ? (
        <Suspense fallback={null}>
          <MeetingDialog lead={lead} onClose={() => setScheduling(false)} returnFocusTo={trigger} />
        </Suspense>
      ) : null}
      {isAssigning ? (
        <Suspense fallback={null}>
          <AssignDialog lead={lead} onClose={() => setAssigning(false)} returnFocusTo={trigger} />
        </Suspense>
      ) : null}
    </>
  );
}
