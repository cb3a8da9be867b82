import { useDocumentTitle } from "../../lib/document-title.ts";
import { useTexts } from "../../lib/i18n.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { placeholderTexts } from "./texts.ts";

/** The recorded placeholder and nothing else (specification §2). */
export function TeamAccessPage() {
  const t = useTexts(placeholderTexts);
  useDocumentTitle(t("loadingTeamAccess"));
  return (
    <h1
      tabIndex={-1}
      className="flex min-h-[50vh] items-center justify-center gap-3 font-normal text-muted-foreground"
    >
      <Spinner decorative />
      {t("loadingTeamAccess")}
    </h1>
  );
}
