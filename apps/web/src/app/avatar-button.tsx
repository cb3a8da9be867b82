import type { CurrentUser } from "@portal/contract/entities/user";
import type { ComponentProps } from "react";
import { initialsOf } from "../lib/format.ts";
import { useMessages } from "../lib/i18n.ts";
import { Avatar } from "../ui/avatar.tsx";
import { shellMessages } from "./shell-messages.ts";

/** The button that opens the avatar menu. */
export function AvatarButton({ user, ...props }: ComponentProps<"button"> & { user: CurrentUser }) {
  const t = useMessages(shellMessages);
  return (
    <button
      type="button"
      aria-label={t("userMenu", { name: user.name, initials: initialsOf(user.name) })}
      className="grid size-9 place-items-center rounded-full transition-shadow hover:ring-4 hover:ring-muted pointer-coarse:size-11"
      {...props}
    >
      <Avatar name={user.name} image={user.profileImage} />
    </button>
  );
}
