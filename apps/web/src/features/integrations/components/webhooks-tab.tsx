import { SourceList } from "../../lead-webhooks/components/source-list.tsx";

/** The tab 'Webhooks' of the Integrations page (specification §2). */
export function WebhooksTab() {
  return <SourceList />;
}
