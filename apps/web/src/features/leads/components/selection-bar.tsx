import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { PhoneForwarded } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { openDialer } from "../../dialer/dialer-store.ts";
import { BulkMenu } from "../bulk/bulk-menu.tsx";
import type { LeadSelection } from "../use-lead-selection.ts";

const selectionMessages = defineMessages("lead-selection", {
  label: ["Selected leads", "Prospectos seleccionados"],
  none: ["Choose the leads to call or change.", "Elige los prospectos que vas a llamar o cambiar."],
  count_one: ["{count} selected", "{count} seleccionado"],
  count_other: ["{count} selected", "{count} seleccionados"],
  all: ["Select all shown", "Elegir los visibles"],
  call: ["Call selected", "Llamarlos"],
  cancel: ["Cancel", "Cancelar"],
});

interface SelectionBarProps {
  selection: ReadonlySet<number>;
  /** The shown leads, in order. */
  leads: readonly Lead[];
  onChange: (selection: LeadSelection) => void;
  /** Positions the sticky bar. */
  className?: string;
}

/** A sticky bar with the number of selected cards and their actions. */
export default function SelectionBar({
  selection,
  leads,
  onChange,
  className = "top-[calc(var(--chrome)+0.5rem)]",
}: SelectionBarProps) {
  const t = useMessages(selectionMessages);
  const count = selection.size;
  function call(): void {
    // In the order of the cards, followed by selected ones that are no longer shown.
    const shown = leads.filter(({ id }) => selection.has(id)).map(({ id }) => id);
    openDialer([...new Set([...shown, ...selection])].slice(0, limits.dialerLeadsMax));
    onChange(null);
  }
  return (
    <section
      aria-label={t("label")}
      className={cn(
        "sticky z-20 flex flex-wrap items-center gap-2 rounded-xl border bg-surface py-2 pr-2.5 pl-4 shadow-float",
        className,
      )}
    >
      <p role="status" className="min-w-0 flex-1 basis-32 font-medium text-sm tabular-nums">
        {count > 0 ? t("count", { count }) : t("none")}
      </p>
      <Button
        variant="ghost"
        size="sm"
        onClick={() => onChange(new Set([...selection, ...leads.map(({ id }) => id)]))}
      >
        {t("all")}
      </Button>
      <Button variant="secondary" size="sm" onClick={() => onChange(null)}>
        {t("cancel")}
      </Button>
      <BulkMenu ids={[...selection]} onDone={() => onChange(null)} withoutCall />
      <Button variant="soft" size="sm" disabled={count === 0} onClick={call}>
        <PhoneForwarded aria-hidden />
        {t("call")}
      </Button>
    </section>
  );
}
