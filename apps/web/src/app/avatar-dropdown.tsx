import type { CurrentUser } from "@portal/contract/entities/user";
import { LogOut, UserRoundCog } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { errorMessages } from "../lib/errors.ts";
import { messagesOf, useMessages } from "../lib/i18n.ts";
import { lateComponent } from "../lib/late-module.ts";
import { clearQueue, countUnsent } from "../lib/offline/queue.ts";
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

const SignOutQuestion = lateComponent(() => import("../features/offline/sign-out-question.tsx"));

/**
 * Signs out. Offline the session cannot be ended, so this says that the user is still signed in. Returns the number of unsaved changes; if
 * there are any, the user is asked first.
 */
async function leave(userId: number): Promise<number> {
  if (!navigator.onLine) {
    const description = messagesOf(errorMessages)("noNetwork");
    toast({ title: messagesOf(shellMessages)("stillSignedIn"), description, tone: "destructive" });
    return 0;
  }
  const unsent = await countUnsent(userId);
  if (unsent === 0) signOut();
  return unsent;
}

/** The avatar menu, initially open, because its code loads when the menu is opened. */
export function AvatarDropdown({ user, opened }: { user: CurrentUser; opened: "pointer" | "keyboard" }) {
  const t = useMessages(shellMessages);
  const trigger = useRef<HTMLButtonElement>(null);
  const [isAccountOpen, setAccountOpen] = useState(false);
  const [unsent, setUnsent] = useState(0);
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
          <DropdownMenuItem onSelect={() => void leave(user.id).then(setUnsent)}>
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
      {unsent > 0 ? (
        <Suspense>
          <SignOutQuestion
            count={unsent}
            onSignOut={() => void clearQueue(user.id).then(signOut)}
            onClose={() => setUnsent(0)}
            returnFocusTo={trigger}
          />
        </Suspense>
      ) : null}
    </>
  );
}
