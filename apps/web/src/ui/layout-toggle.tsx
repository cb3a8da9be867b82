import type { ListLayout } from "@portal/contract/entities/lead-list";
import { LayoutGrid, List } from "lucide-react";
import { defineMessages, useMessages } from "../lib/i18n.ts";
import { Segments } from "./segments.tsx";

const layoutMessages = defineMessages("list-layout", {
  layout: ["Layout", "Disposición"],
  cards: ["Cards", "Tarjetas"],
  table: ["Table", "Tabla"],
  rows: ["List", "Lista"],
});

interface LayoutToggleProps {
  value: ListLayout;
  onChange: (layout: ListLayout) => void;
  /** What the recorded layout is. */
  recorded: "cards" | "table";
}

/** The recorded layout of a list, or rows of one line. */
export function LayoutToggle({ value, onChange, recorded }: LayoutToggleProps) {
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
