import { LoaderCircle } from "lucide-react";
import { cn } from "../lib/cn.ts";
import { useMessages } from "../lib/i18n.ts";
import { uiMessages } from "./messages.ts";

interface SpinnerProps {
  className?: string;
  /** True beside a text that already describes the progress. */
  decorative?: boolean;
}

export function Spinner({ className, decorative = false }: SpinnerProps) {
  const t = useMessages(uiMessages);
  const icon = <LoaderCircle aria-hidden className={cn("size-4 animate-spin", className)} />;
  if (decorative) return icon;
  return (
    <span role="status" className="inline-flex">
      {icon}
      <span className="sr-only">{t("loading")}</span>
    </span>
  );
}
