import type { CurrentUser } from "@portal/contract/entities/user";
import { LogOut, UserRoundCog } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useTexts } from "../lib/i18n.ts";
import { signOut } from "../lib/session.ts";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { AvatarButton } from "./avatar-button.tsx";
import { shellTexts } from "./shell-texts.ts";

const AccountDialog = lazy(async () => ({
  default: (await import("../features/account/account-dialog.tsx")).AccountDialog,
}));

/** The avatar menu, open from the start: it is loaded when it is asked for. */
export function AvatarDropdown({ user, opened }: { user: CurrentUser; opened: "pointer" | "keyboard" }) {
  const t = useTexts(shellTexts);
  const trigger = useRef<HTMLButtonElement>(null);
  const [isAccountOpen, setAccountOpen] = useState(false);
  return (
    <>
      <DropdownMenu defaultOpen>
        <DropdownMenuTrigger asChild>
          <AvatarButton ref={trigger} user={user} />
        </DropdownMenuTrigger>
        <DropdownMenuContent focusFirst={opened === "keyboard"}>
          <DropdownMenuLabel>
            <span className="block truncate font-medium">{user.name}</span>
            <span className="block truncate text-muted-foreground text-xs">{user.email}</span>
          </DropdownMenuLabel>
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={() => setAccountOpen(true)}>
            <UserRoundCog aria-hidden />
            {t("accountSettings")}
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={signOut}>
            <LogOut aria-hidden />
            {t("signOut")}
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {isAccountOpen ? (
        <Suspense>
          <AccountDialog user={user} onClose={() => setAccountOpen(false)} returnFocusTo={trigger} />
        </Suspense>
      ) : null}
    </>
  );
}
