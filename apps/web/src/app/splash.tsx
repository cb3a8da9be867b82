import { useTexts } from "../lib/i18n.ts";
import { LogoMark } from "../ui/logo.tsx";
import { uiTexts } from "../ui/texts.ts";

/** The first moment: only the mark, faded in late enough not to flash on a quick load. */
export function Splash() {
  const t = useTexts(uiTexts);
  return (
    <div role="status" className="grid min-h-dvh place-items-center">
      <LogoMark className="fade-in fill-mode-both size-11 animate-in delay-300 duration-500" />
      <span className="sr-only">{t("loading")}</span>
    </div>
  );
}
