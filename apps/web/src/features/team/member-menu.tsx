import type { TeamMember } from "@portal/contract/routes/team";
import {
  ArrowRightLeft,
  CalendarClock,
  EllipsisVertical,
  KeyRound,
  LogOut,
  type LucideIcon,
  Pencil,
  ShieldOff,
  Unlink,
  UserRoundCheck,
  UserRoundX,
} from "lucide-react";
import { type RefObject, useRef } from "react";
import { useMessages } from "../../lib/i18n.ts";
import { Button } from "../../ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../../ui/dropdown-menu.tsx";
import { teamMessages } from "./messages.ts";

/** Actions of an administrator on an account. */
export type MemberAction =
  | "edit"
  | "availability"
  | "passwordLink"
  | "signOut"
  | "unlink"
  | "resetFactor"
  | "transfer"
  | "close"
  | "reopen";

const icons: Record<MemberAction, LucideIcon> = {
  edit: Pencil,
  availability: CalendarClock,
  passwordLink: KeyRound,
  signOut: LogOut,
  unlink: Unlink,
  resetFactor: ShieldOff,
  transfer: ArrowRightLeft,
  close: UserRoundX,
  reopen: UserRoundCheck,
};

/**
 * The actions that apply to an account. Users change their own password, sessions and hours in Account Settings, and cannot disable
 * themselves.
 */
function actionsFor(member: TeamMember, isSelf: boolean): MemberAction[] {
  const { disabledAt, sessions, leads, linked, secondFactor } = member;
  const isOpen = disabledAt === null;
  const offered: Record<MemberAction, boolean> = {
    edit: true,
    availability: isOpen && !isSelf,
    passwordLink: isOpen && !isSelf,
    signOut: isOpen && !isSelf && sessions > 0,
    unlink: linked && !isSelf,
    resetFactor: secondFactor && !isSelf,
    transfer: leads > 0,
    close: isOpen && !isSelf,
    reopen: !isOpen,
  };
  return (Object.keys(offered) as MemberAction[]).filter((action) => offered[action]);
}

interface MemberMenuProps {
  member: TeamMember;
  isSelf: boolean;
  onAct: (action: MemberAction, member: TeamMember, opener: RefObject<HTMLElement | null>) => void;
}

/** The menu of an account. */
export function MemberMenu({ member, isSelf, onAct }: MemberMenuProps) {
  const t = useMessages(teamMessages);
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button ref={trigger} variant="ghost" size="icon-sm" aria-label={t("menuOf", { name: member.name })}>
          <EllipsisVertical aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {actionsFor(member, isSelf).map((action) => {
          const Icon = icons[action];
          return (
            <DropdownMenuItem key={action} onSelect={() => onAct(action, member, trigger)}>
              <Icon aria-hidden />
              {t(action)}
            </DropdownMenuItem>
          );
        })}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
