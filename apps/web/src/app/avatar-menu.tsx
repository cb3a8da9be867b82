import { useQuery } from "@tanstack/react-query";
import { LogOut, UserRoundCog } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useTexts } from "../lib/i18n.ts";
import { currentUserQuery } from "../lib/query-client.ts";
import { signOut } from "../lib/session.ts";
import { Avatar } from "../ui/avatar.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { shellTexts } from "./shell-texts.ts";

const AccountDialog = lazy(async () => ({
  default: (await import("../features/account/account-dialog.tsx")).AccountDialog,
}));

/** Name, e-mail, Account Settings, Sign out. Renders nothing without a current user (specification §2). */
export function AvatarMenu() {
  const t = useTexts(shellTexts);
  const { data: user } = useQuery(currentUserQuery());
  const trigger = useRef<HTMLButtonElement>(null);
  const [isAccountOpen, setAccountOpen] = useState(false);
  if (!user) return null;
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger
          ref={trigger}
          aria-label={t("userMenu", { name: user.name })}
          className="grid size-9 place-items-center rounded-full transition-shadow hover:ring-4 hover:ring-muted pointer-coarse:size-11"
        >
          <Avatar name={user.name} image={user.profileImage} />
        </DropdownMenuTrigger>
        <DropdownMenuContent>
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
