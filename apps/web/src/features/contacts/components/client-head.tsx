import type { ReactNode } from "react";
import { cn } from "../../../lib/cn.ts";
import { useTexts } from "../../../lib/i18n.ts";
import type { RowLayout } from "../../../ui/row-layout.ts";
import { contactsTexts } from "../texts.ts";
import { columnClasses } from "./row-classes.ts";

/** The column heads; over cards they are only heard. */
export function ClientHead({ layout }: { layout: RowLayout }) {
  const t = useTexts(contactsTexts);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the rows below are placed by hand, so that these are no table's either.
    <div role="rowgroup" className={layout === "table" ? "sticky top-(--chrome) z-10" : "sr-only"}>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above. */}
      <div
        role="row"
        aria-rowindex={1}
        className={cn(
          columnClasses,
          "h-10 rounded-t-xl border-b bg-surface font-medium text-muted-foreground text-xs",
        )}
      >
        <Head>{t("name")}</Head>
        <Head>{t("contact")}</Head>
        <Head>{t("converted")}</Head>
        <Head>{t("value")}</Head>
        <Head>{t("salesRep")}</Head>
        <Head className="text-right">{t("totalCalls")}</Head>
        <Head className="pl-3">{t("lastContact")}</Head>
        <Head className="text-right">{t("actions")}</Head>
      </div>
    </div>
  );
}

function Head({ className, children }: { className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as the row.
    <div role="columnheader" className={cn("min-w-0 truncate", className)}>
      {children}
    </div>
  );
}
