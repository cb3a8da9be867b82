import { DataImport } from "../../data-import/components/data-import.tsx";

/** The tab 'Data Import' of the Integrations page (specification §2). */
export function DataImportTab() {
  return <DataImport />;
}
