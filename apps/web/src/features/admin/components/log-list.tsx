import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from "@tanstack/react-query";
import { Inbox, RotateCw } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { cn } from "../../../lib/cn.ts";
import { formatTotal } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import type { Page } from "../../../lib/query-client.ts";
import { useWidth } from "../../../lib/use-width.ts";
import { Button } from "../../../ui/button.tsx";
import { rowCardClasses } from "../../../ui/card.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { EmptyState, Skeleton } from "../../../ui/list-states.tsx";
import { Select } from "../../../ui/select.tsx";
import { Cell, HeadCell, layoutOf, Table, TableRow } from "../../../ui/table.tsx";
import { adminMessages } from "../messages.ts";
import { peopleQuery } from "../queries.ts";
import { ReadPart } from "./read-part.tsx";

export interface LogColumn<T> {
  key: string;
  label: string;
  className?: string;
  cell: (row: T) => ReactNode;
}

interface LogListProps<T> {
  caption: string;
  found: UseInfiniteQueryResult<InfiniteData<Page<T[]>>>;
  columns: readonly LogColumn<T>[];
  empty: { title: string; description: string };
}

const sizes = { tableMin: 50, height: { table: 3, cards: 10 } };

/** Entries, newest first, in pages. The list does not update by itself. */
export function LogList<T extends { id: number }>({ caption, found, columns, empty }: LogListProps<T>) {
  const t = useMessages(adminMessages);
  const frame = useRef<HTMLDivElement>(null);
  const isTable = layoutOf(useWidth(frame), sizes) === "table";
  const { hasNextPage, isFetching, isFetchingNextPage, isPlaceholderData } = found;
  return (
    <div ref={frame} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ReadPart found={found} skeleton={<Skeleton className="h-96 rounded-lg" />}>
        {({ pages }) => {
          const rows = pages.flatMap(({ items }) => items);
          if (rows.length === 0) return <EmptyState icon={Inbox} {...empty} />;
          const List = isTable ? LogTable : LogCards;
          return (
            <>
              <div className="flex items-center justify-between gap-3">
                <p role="status" className="text-muted-foreground text-sm tabular-nums">
                  {t("shown", { shown: rows.length, total: formatTotal(pages[0]?.total ?? rows.length) })}
                </p>
                <Button
                  size="sm"
                  variant="ghost"
                  pending={isFetching && !isFetchingNextPage}
                  onClick={() => void found.refetch()}
                >
                  <RotateCw aria-hidden />
                  {t("refresh")}
                </Button>
              </div>
              <div
                aria-busy={isPlaceholderData || undefined}
                className={cn(isPlaceholderData && "opacity-60")}
              >
                <List caption={caption} columns={columns} rows={rows} />
              </div>
              {hasNextPage ? (
                <Button
                  variant="secondary"
                  className="justify-self-center"
                  pending={isFetchingNextPage}
                  onClick={() => void found.fetchNextPage()}
                >
                  {t("more")}
                </Button>
              ) : null}
            </>
          );
        }}
      </ReadPart>
    </div>
  );
}

type RowsProps<T> = Pick<LogListProps<T>, "caption" | "columns"> & { rows: readonly T[] };

function LogTable<T extends { id: number }>({ caption, columns, rows }: RowsProps<T>) {
  return (
    <Table
      isFixed
      caption={caption}
      head={columns.map(({ key, label, className }) => (
        <HeadCell key={key} className={className}>
          {label}
        </HeadCell>
      ))}
    >
      {rows.map((row) => (
        <TableRow key={row.id} className="align-top">
          {columns.map(({ key, cell }) => (
            <Cell key={key} className="py-2.5 [overflow-wrap:anywhere]">
              {cell(row)}
            </Cell>
          ))}
        </TableRow>
      ))}
    </Table>
  );
}

function LogCards<T extends { id: number }>({ caption, columns, rows }: RowsProps<T>) {
  return (
    <ul aria-label={caption} className="grid gap-3">
      {rows.map((row) => (
        <li key={row.id} className={rowCardClasses}>
          <dl className="grid grid-cols-[minmax(5rem,auto)_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-sm">
            {columns.map(({ key, label, cell }) => (
              <div key={key} className="contents">
                <dt className="text-muted-foreground text-xs leading-5">{label}</dt>
                <dd className="min-w-0 [overflow-wrap:anywhere]">{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

/** Value of a select for no filter, as an empty one is not allowed. */
export const anything = "all";

interface UserFieldProps {
  value: string | undefined;
  onChange: (user: string | undefined) => void;
}

/** Filters by user. */
export function UserField({ value, onChange }: UserFieldProps) {
  const t = useMessages(adminMessages);
  const people = useQuery(peopleQuery());
  const options = (people.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  // Disabled users have entries too.
  if (value && !options.some((option) => option.value === value)) options.push({ value, label: `#${value}` });
  return (
    <Field label={t("user")}>
      {(control) => (
        <Select
          {...control}
          value={value ?? anything}
          onValueChange={(user) => onChange(user === anything ? undefined : user)}
          options={[{ value: anything, label: t("all") }, ...options]}
        />
      )}
    </Field>
  );
}

interface DayFieldProps {
  label: string;
  value: string | undefined;
  onChange: (day: string | undefined) => void;
}

/** Filters by a day in the organization's zone. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          type="date"
          max="9999-12-30"
          value={value ?? ""}
          onChange={(event) => onChange(event.target.value || undefined)}
        />
      )}
    </Field>
  );
}
