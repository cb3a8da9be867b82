import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { currentUserQuery } from "../lib/query-client.ts";
import { AvatarButton } from "./avatar-button.tsx";

const loadDropdown = () => import("./avatar-dropdown.tsx");
const AvatarDropdown = lazy(async () => ({ default: (await loadDropdown()).AvatarDropdown }));

/** Name, e-mail, Account Settings, Sign out. Renders nothing without a current user (specification §2). */
export function AvatarMenu() {
  const { data: user } = useQuery(currentUserQuery());
  const [isWanted, setWanted] = useState(false);
  if (!user) return null;
  // The menu's code comes with the first pointer or focus on it, not with the first paint.
  const button = (
    <AvatarButton
      user={user}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void loadDropdown()}
      onFocus={() => void loadDropdown()}
      onClick={() => setWanted(true)}
      onKeyDown={({ key }) => key === "ArrowDown" && setWanted(true)}
    />
  );
  return isWanted ? (
    <Suspense fallback={button}>
      <AvatarDropdown user={user} />
    </Suspense>
  ) : (
    button
  );
}
