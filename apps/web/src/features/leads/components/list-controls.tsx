import { listLeads } from "@portal/contract/routes/leads";
import { UserPlus } from "lucide-react";
import { Suspense } from "react";
import { useChangeListSetting } from "../../../lib/change-list-setting.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { useListSetting } from "../../../lib/list-settings.ts";
import { Button } from "../../../ui/button.tsx";
import { LayoutToggle } from "../../../ui/layout-toggle.tsx";
import { newLeadButtonMessages } from "../../new-lead/messages.ts";
import { openNewLead } from "../../new-lead/open-new-lead.tsx";
import { ViewsMenu } from "../../saved-views/views-menu.tsx";
import { addressOf, type LeadFilters, parseLeadFilters } from "../lead-filters.ts";
import { FilterMenu } from "./filter-menu.tsx";

const LeadColumnsMenu = lateComponent(() => import("../rows/lead-columns-menu.tsx"));

interface ListControlsProps {
  filters: LeadFilters;
  onChange: (filters: LeadFilters) => void;
}

/** Beside the recorded filters: those by the work on a lead, saved views, the layout, and a new lead. */
export default function ListControls({ filters, onChange }: ListControlsProps) {
  const t = useMessages(newLeadButtonMessages);
  const setting = useListSetting("leads");
  const change = useChangeListSetting("leads");
  const { columns = setting.columns?.join(",") } = filters;
  return (
    <>
      <FilterMenu filters={filters} onChange={onChange} />
      <ViewsMenu
        page="leads"
        listPath={listLeads.path}
        query={addressOf({ ...filters, columns })}
        onOpen={(query) => onChange(parseLeadFilters(Object.fromEntries(new URLSearchParams(query))))}
      />
      {setting.layout === "rows" ? (
        <Suspense fallback={<div className="size-9 pointer-coarse:size-11" />}>
          <LeadColumnsMenu filters={filters} onChange={onChange} />
        </Suspense>
      ) : null}
      <LayoutToggle
        recorded="cards"
        value={setting.layout ?? "recorded"}
        onChange={(layout) => change({ layout })}
      />
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
