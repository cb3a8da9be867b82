import { useQuery } from "@tanstack/react-query";
import { currentUserQuery } from "../lib/query-client.ts";
import { useLateMenu } from "../ui/use-late-menu.ts";
import { AvatarButton } from "./avatar-button.tsx";

const loadDropdown = () => import("./avatar-dropdown.tsx");

/** Name, e-mail, Account Settings, Sign out. Renders nothing without a current user (specification §2). */
export function AvatarMenu() {
  const { data: user } = useQuery(currentUserQuery());
  // The menu's code comes with the first pointer or focus on it, not with the first paint.
  const { menu, opened, trigger } = useLateMenu(loadDropdown);
  if (!user) return null;
  if (!menu) return <AvatarButton user={user} {...trigger} />;
  return <menu.AvatarDropdown user={user} opened={opened} />;
}
