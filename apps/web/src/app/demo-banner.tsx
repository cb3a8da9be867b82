import { FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import { useTexts } from "../lib/i18n.ts";
import { shellTexts } from "./shell-texts.ts";

/** Says that the providers are stand-ins (design §4, Demo mode); one line of 28 px, which the shell reckons with. */
export function DemoBanner() {
  const t = useTexts(shellTexts);
  return <DemoBannerFrame text={t("demoBanner")} detail={t("demoDetail")} />;
}

/** Its looks alone, for the outline too. */
export function DemoBannerFrame({ text, detail }: { text: ReactNode; detail: ReactNode }) {
  return (
    <p className="flex h-7 items-center justify-center gap-1.5 bg-warning-soft px-3 text-warning-text text-xs">
      <FlaskConical aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate font-medium">{text}</span>
      <span className="hidden md:inline">{detail}</span>
    </p>
  );
}
