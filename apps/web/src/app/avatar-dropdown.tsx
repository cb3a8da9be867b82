import type { CurrentUser } from "@portal/contract/entities/user";
import { LogOut, UserRoundCog } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { errorMessages } from "../lib/error-messages.ts";
import { messagesOf, useMessages } from "../lib/i18n.ts";
import { lateComponent } from "../lib/late-module.ts";
import { signOut } from "../lib/session.ts";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { toast } from "../ui/toast.ts";
import { AvatarButton } from "./avatar-button.tsx";
import { shellMessages } from "./shell-messages.ts";

const AccountDialog = lateComponent(async () => ({
  default: (await import("../features/identity/account/account-dialog.tsx")).AccountDialog,
}));

/** Signs out; without a network the session cannot be ended, and nobody is to believe that it was. */
function leave(): void {
  const description = messagesOf(errorMessages)("noNetwork");
  if (navigator.onLine) signOut();
  else toast({ title: messagesOf(shellMessages)("stillSignedIn"), description, tone: "destructive" });
}

/** The avatar menu, open from the start: it is loaded when it is asked for. */
export function AvatarDropdown({ user, opened }: { user: CurrentUser; opened: "pointer" | "keyboard" }) {
  const t = useMessages(shellMessages);
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
          <DropdownMenuItem onSelect={leave}>
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
