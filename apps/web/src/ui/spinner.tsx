import { LoaderCircle } from "lucide-react";
import { cn } from "../lib/cn.ts";
import { useTexts } from "../lib/i18n.ts";
import { uiTexts } from "./texts.ts";

interface SpinnerProps {
  className?: string;
  /** True beside a text that already says what is going on. */
  decorative?: boolean;
}

export function Spinner({ className, decorative = false }: SpinnerProps) {
  const t = useTexts(uiTexts);
  const icon = <LoaderCircle aria-hidden className={cn("size-4 animate-spin", className)} />;
  if (decorative) return icon;
  return (
    <span role="status" className="inline-flex">
      {icon}
      <span className="sr-only">{t("loading")}</span>
    </span>
  );
}
