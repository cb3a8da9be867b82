import { listLeads } from "@portal/contract/routes/leads";
import { UserPlus } from "lucide-react";
import { Suspense } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Button } from "../../../ui/button.tsx";
import { newLeadButtonMessages } from "../../new-lead/messages.ts";
import { openNewLead } from "../../new-lead/open-new-lead.tsx";
import { ListTools } from "../../saved-views/list-tools.tsx";
import { ChangesButton } from "../bulk/changes-button.tsx";
import { type LeadFilters, leadListQuery, parseLeadFilters } from "../lead-search.ts";
import { FilterMenu } from "./filter-menu.tsx";

const LeadColumnsMenu = lateComponent(() => import("../rows/lead-columns-menu.tsx"));

interface ListControlsProps {
  filters: LeadFilters;
  onChange: (filters: LeadFilters) => void;
}

/** Controls next to the recorded filters: further filters, saved views, layout, and New Lead. */
export default function ListControls({ filters, onChange }: ListControlsProps) {
  const t = useMessages(newLeadButtonMessages);
  return (
    <>
      <FilterMenu filters={filters} onChange={(changed) => onChange({ ...filters, ...changed })} hasUnread />
      <ListTools
        page="leads"
        listPath={listLeads.path}
        recorded="cards"
        query={leadListQuery(filters)}
        inAddress={filters.columns}
        onOpen={(search) => onChange(parseLeadFilters(search))}
        columnsMenu={
          <Suspense fallback={<div className="size-9 pointer-coarse:size-11" />}>
            <LeadColumnsMenu
              page="leads"
              inAddress={filters.columns}
              onForget={() => onChange({ ...filters, columns: undefined })}
            />
          </Suspense>
        }
      />
      <ChangesButton />
      <Button
        variant="secondary"
        className="max-sm:w-9 max-sm:px-0 max-sm:pointer-coarse:w-11"
        aria-haspopup="dialog"
        onClick={() => openNewLead()}
      >
        <UserPlus aria-hidden />
        <span className="max-sm:sr-only">{t("newLead")}</span>
      </Button>
    </>
  );
}
