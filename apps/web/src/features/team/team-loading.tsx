import { useMessages } from "../../lib/i18n.ts";
import { useDocumentTitle } from "../../lib/navigation.ts";
import { Spinner } from "../../ui/button.tsx";
import { teamMessages } from "./messages.ts";

/** The recorded loading text. */
export function TeamLoading() {
  const t = useMessages(teamMessages);
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
