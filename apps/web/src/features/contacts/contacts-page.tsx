import type { ConvertedClient } from "@portal/contract/routes/clients";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useRef, useState } from "react";
import { useTexts } from "../../lib/i18n.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { ClientFigures } from "./components/client-figures.tsx";
import { ClientResults } from "./components/client-results.tsx";
import { ContactsChips } from "./components/contacts-chips.tsx";
import { ContactsToolbar } from "./components/contacts-toolbar.tsx";
import { ExportButtons } from "./components/export-buttons.tsx";
import { RecentConversions } from "./components/recent-conversions.tsx";
import type { ContactsSearch } from "./contacts-search.ts";
import { contactsTexts } from "./texts.ts";

const LeadDetailsDialog = lazy(() => import("../leads/components/lead-details-dialog.tsx"));

/** Contact Lists (specification §2): the leads that became clients, to be found, called and exported. */
export function ContactsPage() {
  const t = useTexts(contactsTexts);
  const filters: ContactsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const [lead, setLead] = useState<{ id: number; name: string } | null>(null);
  const opener = useRef<HTMLElement | null>(null);
  const onOpen = useCallback(({ leadId, name }: ConvertedClient) => {
    opener.current = document.activeElement as HTMLElement | null;
    setLead({ id: leadId, name });
  }, []);
  // Typing replaces the address, picking adds a step for Back.
  function change(next: ContactsSearch, { replace = false }: { replace?: boolean } = {}): void {
    void navigate({ to: ".", search: next, replace, resetScroll: false });
  }
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <PageHeader
          title={t("title")}
          subtitle={t("subtitle")}
          actions={<ExportButtons filters={filters} />}
        />
        <ClientFigures />
        <RecentConversions onOpen={onOpen} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <ContactsToolbar filters={filters} onChange={change} />
          <ContactsChips filters={filters} onChange={change} />
        </div>
        <ClientResults filters={filters} onOpen={onOpen} />
      </div>
      {lead ? (
        <Suspense fallback={null}>
          <LeadDetailsDialog lead={lead} onClose={() => setLead(null)} returnFocusTo={opener} />
        </Suspense>
      ) : null}
    </>
  );
}
