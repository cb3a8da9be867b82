import { useMemo, useState } from "react";
import { useMessages } from "../../lib/i18n.ts";
import type { PagedRows } from "../../lib/long-list/use-paged-rows.ts";
import type { RowSelection } from "../../lib/long-list/use-row-selection.ts";
import { Badge } from "../../ui/badge.tsx";
import { LeadLink } from "../../ui/lead-link.tsx";
import { type ListColumn, ListTable, lineSizes } from "../../ui/list-table.tsx";
import { MetricsTable, type TableSort } from "../../ui/metrics-table.tsx";
import { kitMessages, Section, Specimen } from "./specimen.tsx";

const nothing = () => {};

interface Sample {
  id: number;
  name: string;
  count: number;
}

/** Tables that are rendered as a whole, and lists of any length. */
export function TableSection() {
  const t = useMessages(kitMessages);
  const samples: readonly Sample[] = useMemo(
    () => [
      { id: 1, name: "María Núñez", count: 12 },
      { id: 2, name: "Sam Lee", count: 3 },
      { id: 3, name: t("long"), count: 0 },
    ],
    [t],
  );
  return (
    <Section title={t("tables")}>
      <Specimen part="table" state="rest" isStack>
        <SampleTable samples={samples.slice(0, 2)} />
      </Specimen>
      <Specimen part="table" state="longText" isStack>
        <SampleTable samples={samples} />
      </Specimen>
      <Specimen part="list-table" state="chosen" isStack>
        <SampleList samples={samples} />
      </Specimen>
    </Section>
  );
}

function SampleTable({ samples }: { samples: readonly Sample[] }) {
  const t = useMessages(kitMessages);
  const [sort, setSort] = useState<TableSort>({ by: "count", isDescending: true });
  return (
    <MetricsTable
      caption={t("table")}
      rows={samples}
      keyOf={({ id }) => id}
      sort={sort}
      onSort={(by) => setSort({ by, isDescending: sort.by === by && !sort.isDescending })}
      totalLabel={t("total")}
      columns={[
        { key: "name", label: t("name"), cell: ({ name }) => name },
        {
          key: "state",
          label: t("states"),
          isWide: true,
          cell: ({ count }) => (count === 0 ? <Badge tone="warning">{t("waiting")}</Badge> : t("one")),
        },
        { key: "count", label: t("calls"), isNumber: true, cell: ({ count }) => count, total: "15" },
      ]}
    />
  );
}

/** The first row is selected, the last one is still loading. */
function SampleList({ samples }: { samples: readonly Sample[] }) {
  const t = useMessages(kitMessages);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set([1]));
  const rows: PagedRows<Sample> = {
    count: samples.length + 1,
    rowAt: (index) => samples[index] ?? null,
    known: () => samples,
    cursors: [],
    onView: nothing,
    isWhole: true,
    error: null,
    retry: nothing,
  };
  const selection: RowSelection = {
    ids: selected,
    isFull: false,
    isLocked: false,
    toggle: (index) => {
      const next = new Set(selected);
      const id = samples[index]?.id ?? 0;
      if (!next.delete(id)) next.add(id);
      setSelected(next);
    },
    replace: (ids) => setSelected(new Set(ids)),
  };
  const columns: readonly ListColumn<Sample>[] = [
    {
      key: "name",
      label: t("name"),
      width: 8,
      grow: 1,
      sort: { up: "name", down: "-name", first: "name" },
      cell: ({ id, name }) => <LeadLink leadId={id}>{name}</LeadLink>,
    },
    { key: "count", label: t("calls"), width: 5, isEnd: true, cell: ({ count }) => count },
  ];
  return (
    <ListTable
      rows={rows}
      total={rows.count}
      busy={false}
      label={t("list")}
      columns={columns}
      sizes={useMemo(lineSizes, [])}
      sort="name"
      onSort={nothing}
      selection={selection}
      selectLabel={({ name }) => name}
      headClasses="static"
    />
  );
}
