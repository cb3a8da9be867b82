import { ExternalLink } from "lucide-react";
import { useMessages } from "../../lib/i18n.ts";
import { goLiveMessages } from "./messages.ts";
import type { ConsolePage } from "./step-values.ts";

/** Where to click at the vendor, as a link there. */
export function ConsoleLink({ place: { href, path } }: { place: ConsolePage }) {
  const t = useMessages(goLiveMessages);
  return (
    <p>
      <a
        href={href}
        target="_blank"
        rel="noreferrer"
        className="inline-flex min-h-6 items-center gap-1 text-primary-text underline underline-offset-4 pointer-coarse:min-h-11"
      >
        <span className="min-w-0">{t("where", { path })}</span>
        <ExternalLink aria-hidden className="size-3.5 shrink-0" />
        <span className="sr-only">({t("opens")})</span>
      </a>
    </p>
  );
}
