import { Braces, Sheet } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import type { ContactsSearch } from "../contacts-search.ts";
import { useExportClients } from "../queries.ts";
import { contactsTexts } from "../texts.ts";

/** Saves what the filters show, as CSV or as JSON. */
export function ExportButtons({ filters }: { filters: ContactsSearch }) {
  const t = useTexts(contactsTexts);
  const csv = useExportClients();
  const json = useExportClients();
  return (
    <>
      <Button
        variant="secondary"
        pending={csv.isPending}
        onClick={() => csv.mutate({ filters, format: "csv" })}
      >
        <Sheet aria-hidden />
        {t("exportCsv")}
      </Button>
      <Button
        variant="secondary"
        pending={json.isPending}
        onClick={() => json.mutate({ filters, format: "json" })}
      >
        <Braces aria-hidden />
        {t("exportJson")}
      </Button>
    </>
  );
}
