import { Link } from "@tanstack/react-router";
import { Menu } from "lucide-react";
import { useTexts } from "../lib/i18n.ts";
import { Button } from "../ui/button.tsx";
import { Logo } from "../ui/logo.tsx";
import { AvatarMenu } from "./avatar-menu.tsx";
import { topBarClasses } from "./shell-classes.ts";
import { shellTexts } from "./shell-texts.ts";

interface TopBarProps {
  isMobile: boolean;
  isMenuOpen: boolean;
  onToggleMenu: () => void;
}

/** Wide: the logo in the centre, the avatar menu on the right. Small: menu button, logo, avatar menu. */
export function TopBar({ isMobile, isMenuOpen, onToggleMenu }: TopBarProps) {
  const t = useTexts(shellTexts);
  return (
    <div className={topBarClasses}>
      <div>
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
        ) : null}
      </div>
      <Link to="/" aria-label={t("home")} className="flex items-center rounded-md pointer-coarse:min-h-11">
        <Logo />
      </Link>
      <div className="flex justify-end">
        <AvatarMenu />
      </div>
    </div>
  );
}
