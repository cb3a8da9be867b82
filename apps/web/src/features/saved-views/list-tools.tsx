import type { ListLayout, ListPage } from "@portal/contract/entities/lead-list";
import { LayoutGrid, List } from "lucide-react";
import type { ReactNode } from "react";
import { useChangeListSetting } from "../../lib/change-list-setting.ts";
import { defineMessages, useMessages } from "../../lib/i18n.ts";
import { listAddress, useListSetting } from "../../lib/list-address.ts";
import { Segments } from "../../ui/segments.tsx";
import { ViewsMenu } from "./views-menu.tsx";

interface ListToolsProps {
  page: ListPage;
  /** Path of the list's route, which also counts. */
  listPath: string;
  recorded: "cards" | "table";
  /** Current filters and order. */
  query: object;
  /** Columns from the address. */
  inAddress: string | undefined;
  /** Opens a view. */
  onOpen: (search: Record<string, unknown>) => void;
  /** The menu of columns, for single-line rows. */
  columnsMenu: ReactNode;
}

/** Next to a list's filters: saved views, columns and layout. */
export function ListTools(props: ListToolsProps) {
  const { page, listPath, recorded, query, inAddress, onOpen, columnsMenu } = props;
  const setting = useListSetting(page);
  const change = useChangeListSetting(page);
  return (
    <>
      <ViewsMenu
        page={page}
        listPath={listPath}
        query={listAddress(query, inAddress ?? setting.columns?.join(","))}
        onOpen={(address) => onOpen(Object.fromEntries(new URLSearchParams(address)))}
      />
      {setting.layout === "rows" ? columnsMenu : null}
      <LayoutToggle
        recorded={recorded}
        value={setting.layout ?? "recorded"}
        onChange={(layout) => change({ layout })}
      />
    </>
  );
}

const layoutMessages = defineMessages("list-layout", {
  layout: ["Layout", "Disposición"],
  cards: ["Cards", "Tarjetas"],
  table: ["Table", "Tabla"],
  rows: ["List", "Lista"],
});

interface LayoutToggleProps {
  value: ListLayout;
  onChange: (layout: ListLayout) => void;
  /** The recorded layout. */
  recorded: "cards" | "table";
}

/** Switches between the recorded layout and single-line rows. */
function LayoutToggle({ value, onChange, recorded }: LayoutToggleProps) {
  const t = useMessages(layoutMessages);
  return (
    <Segments
      label={t("layout")}
      value={value}
      segments={[
        { value: "recorded", label: t(recorded), icon: LayoutGrid },
        { value: "rows", label: t("rows"), icon: List },
      ]}
      onChange={onChange}
    />
  );
}
