import { useQuery } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { Menu, Search } from "lucide-react";
import { QueueButton } from "../features/offline/offline-queue.tsx";
import { useConnection } from "../lib/connection.ts";
import { useMessages } from "../lib/i18n.ts";
import { keyDialog } from "../lib/keys.ts";
import { useHasContent, useLateModule } from "../lib/late-module.ts";
import { queueItems } from "../lib/offline/queue.ts";
import { currentUserQuery } from "../lib/query-client.ts";
import { useStore } from "../lib/store.ts";
import { Button } from "../ui/button.tsx";
import { ConnectionStatus } from "../ui/connection-status.tsx";
import { Logo } from "../ui/logo.tsx";
import { Tooltip } from "../ui/tooltip.tsx";
import { useLateMenu } from "../ui/use-late-menu.ts";
import { AvatarButton } from "./avatar-button.tsx";
import { topBarClasses } from "./shell-classes.ts";
import { shellMessages } from "./shell-messages.ts";

const loadAvailability = () => import("../features/availability/availability-control.tsx");
const loadDropdown = () => import("./avatar-dropdown.tsx");

/** Name, email, Account Settings, Sign out. Renders nothing without a current user. */
function AvatarMenu() {
  const { data: user } = useQuery(currentUserQuery());
  // The menu's code loads when it is first hovered or focused, not with the first paint.
  const { menu, opened, trigger } = useLateMenu(loadDropdown);
  if (!user) return null;
  if (!menu) return <AvatarButton user={user} {...trigger} />;
  return <menu.AvatarDropdown user={user} opened={opened} />;
}

interface TopBarProps {
  isMobile: boolean;
  isMenuOpen: boolean;
  onToggleMenu: () => void;
}

/**
 * Wide: the logo in the centre, the avatar menu on the right. Small: menu button, logo, avatar menu. The state of the
 * connection and the number of queued writes are on the left, or in place of the logo on a small screen.
 */
export function TopBar({ isMobile, isMenuOpen, onToggleMenu }: TopBarProps) {
  const t = useMessages(shellMessages);
  const isUp = useConnection() === "up";
  const AvailabilityControl = useLateModule(loadAvailability, useHasContent(useRouter()))?.default;
  const hasQueue = useStore(queueItems, ({ length }) => length > 0);
  return (
    <div className={topBarClasses}>
      <div className="flex items-center gap-2 md:min-w-0">
        {isMobile ? (
          <Button
            variant="ghost"
            size="icon"
            aria-label={t(isMenuOpen ? "closeMenu" : "openMenu")}
            aria-expanded={isMenuOpen}
            onClick={onToggleMenu}
          >
            <Menu aria-hidden className="size-5" />
          </Button>
        ) : (
          <>
            <ConnectionStatus withAge />
            <QueueButton />
          </>
        )}
      </div>
      <div className="flex min-w-0 items-center gap-2">
        {!isMobile || (isUp && !hasQueue) ? (
          <Link
            to="/"
            aria-label={t("home")}
            className="flex items-center rounded-md pointer-coarse:min-h-11"
          >
            <Logo />
          </Link>
        ) : null}
        {isMobile ? (
          <>
            <ConnectionStatus withAge isNarrow />
            <QueueButton isNarrow />
          </>
        ) : null}
      </div>
      <div className="flex items-center justify-end gap-1">
        {/* On the outside, so that nothing moves when it appears. */}
        {AvailabilityControl ? <AvailabilityControl /> : null}
        <Tooltip content={`${t("search")} (Ctrl K)`} side="bottom">
          <Button
            variant="ghost"
            size="icon"
            aria-label={t("search")}
            aria-keyshortcuts="Control+K Meta+K"
            aria-haspopup="dialog"
            className="text-muted-foreground"
            onClick={() => keyDialog.set("palette")}
          >
            <Search aria-hidden />
          </Button>
        </Tooltip>
        <AvatarMenu />
      </div>
    </div>
  );
}
