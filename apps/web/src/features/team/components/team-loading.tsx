import { useDocumentTitle } from "../../../lib/document-title.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Spinner } from "../../../ui/spinner.tsx";
import { teamTexts } from "../texts.ts";

/** The recorded loading text (specification §2). */
export function TeamLoading() {
  const t = useTexts(teamTexts);
  useDocumentTitle(t("loading"));
  return (
    <h1
      tabIndex={-1}
      className="flex min-h-[50vh] items-center justify-center gap-3 font-normal text-muted-foreground"
    >
      <Spinner decorative />
      {t("loading")}
    </h1>
  );
}
