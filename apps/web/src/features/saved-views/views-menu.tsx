import type { ListPage } from "@portal/contract/entities/lead-list";
import { limits } from "@portal/contract/limits";
import type { SavedView } from "@portal/contract/routes/saved-views";
import { useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, Bookmark, Link2, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { formatTotal } from "../../lib/format.ts";
import { messagesOf, useMessages } from "../../lib/i18n.ts";
import { leadPanelRewrite } from "../../lib/lead-panel.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { CheckboxField } from "../../ui/checkbox.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { PickRow } from "../../ui/pick-row.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../../ui/popover.tsx";
import { toast } from "../../ui/toast.ts";
import { viewMessages } from "./messages.ts";
import { useChangeViews, viewCountQuery, viewsQuery } from "./queries.ts";

interface ViewsMenuProps {
  page: ListPage;
  /** Path of the list's route, which also counts. */
  listPath: string;
  /** Current filters, order and columns. */
  query: string;
  /** Opens a view. */
  onOpen: (query: string) => void;
}

const equalQuery = (one: string, other: string) => {
  const sorted = (query: string) => [...new URLSearchParams(query)].sort().join("&");
  return sorted(one) === sorted(other);
};

/** The saved views of a list, shared and own, and a form to save the current one. */
export function ViewsMenu({ page, listPath, query, onOpen }: ViewsMenuProps) {
  const t = useMessages(viewMessages);
  const [isOpen, setOpen] = useState(false);
  const { data: user } = useQuery(currentUserQuery());
  // The views are fetched when the menu is first opened.
  const [isWanted, setWanted] = useState(false);
  const { data: views, isError } = useQuery({ ...viewsQuery(page), enabled: isWanted });
  const [isEditing, setEditing] = useState(false);
  const active = views?.find((view) => equalQuery(view.query, query));
  const isAdmin = user?.role === "admin";
  const groups = [
    { isForEverybody: true, label: t("everybodys"), mayChange: isAdmin },
    { isForEverybody: false, label: t("own"), mayChange: true },
  ].map((group) => ({
    ...group,
    views: views?.filter((view) => view.isForEverybody === group.isForEverybody) ?? [],
  }));
  const open = (view: SavedView) => {
    setOpen(false);
    onOpen(view.query);
  };
  return (
    <Popover
      open={isOpen}
      onOpenChange={(next) => {
        setWanted(true);
        setOpen(next);
      }}
    >
      <PopoverTrigger asChild>
        {/* A long name takes the space that the line of filters leaves, before the fields grow. */}
        <Button
          variant="secondary"
          title={active?.name}
          className="min-w-0 max-w-max max-sm:px-2 sm:grow-[9] sm:basis-24"
        >
          <Bookmark aria-hidden className="max-sm:hidden" />
          <span className="max-w-44 truncate">{active?.name ?? t("views")}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label={t("views")} className="grid w-88 gap-3">
        {isError ? (
          <p role="alert" className="text-danger-text text-sm">
            {t("loadFailed")}
          </p>
        ) : null}
        {views?.length === 0 ? <p className="text-muted-foreground text-sm">{t("none")}</p> : null}
        {groups
          .filter((group) => group.views.length > 0)
          .map((group) => (
            <section key={group.label} aria-label={group.label} className="grid gap-1">
              <p className="font-medium text-muted-foreground text-xs">{group.label}</p>
              <ul>
                {group.views.map((view) =>
                  isEditing && group.mayChange ? (
                    <EditedView key={view.id} view={view} others={group.views} page={page} />
                  ) : (
                    <li key={view.id} className="flex items-center gap-1">
                      <PickRow
                        aria-current={view === active}
                        note={isOpen ? <ViewCount listPath={listPath} query={view.query} /> : null}
                        onClick={() => open(view)}
                        className="min-w-0 flex-1"
                      >
                        {view.name}
                      </PickRow>
                      <CopyLink view={view} />
                    </li>
                  ),
                )}
              </ul>
            </section>
          ))}
        {groups.some((group) => group.mayChange && group.views.length > 0) ? (
          <Button
            variant="ghost"
            size="sm"
            className="justify-self-start"
            onClick={() => setEditing(!isEditing)}
          >
            {t(isEditing ? "done" : "edit")}
          </Button>
        ) : null}
        <NewView page={page} query={query} isAdmin={isAdmin} />
      </PopoverContent>
    </Popover>
  );
}

function ViewCount({ listPath, query }: { listPath: string; query: string }) {
  const t = useMessages(viewMessages);
  const { data } = useQuery(viewCountQuery(listPath, query));
  const n = data === undefined ? "" : formatTotal(data);
  return (
    <span className="shrink-0 text-muted-foreground text-xs tabular-nums">
      <span aria-hidden>{n}</span>
      {data === undefined ? null : (
        <span className="sr-only">{t("count", { count: Number.parseInt(data, 10), n })}</span>
      )}
    </span>
  );
}

/** Copies the view's address. */
function CopyLink({ view }: { view: SavedView }) {
  const t = useMessages(viewMessages);
  async function copy(): Promise<void> {
    // While a lead's panel is open, the address is the lead's.
    const { origin, pathname } = leadPanelRewrite.input({ url: new URL(window.location.href) });
    await navigator.clipboard.writeText(`${origin}${pathname}${view.query === "" ? "" : `?${view.query}`}`);
    const text = messagesOf(viewMessages);
    toast({ title: text("copiedTitle"), description: text("copiedText"), tone: "success" });
  }
  // Browsers provide the clipboard for https and localhost only.
  if (!navigator.clipboard) return null;
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={t("copy", { name: view.name })}
      title={t("copy", { name: view.name })}
      onClick={() => void copy()}
    >
      <Link2 aria-hidden />
    </Button>
  );
}

/** A view in edit mode: rename, move or delete. */
function EditedView({
  view,
  others,
  page,
}: {
  view: SavedView;
  others: readonly SavedView[];
  page: ListPage;
}) {
  const t = useMessages(viewMessages);
  const { name } = view;
  const change = useChangeViews(page);
  const [typed, setTyped] = useState(name);
  const at = others.indexOf(view);
  const rename = () => {
    if (typed.trim() === "") setTyped(name);
    else if (typed.trim() !== name) change.mutate({ kind: "rename", id: view.id, name: typed });
  };
  const move = (step: number) => {
    const ids = others.map(({ id }) => id);
    ids.splice(at, 1);
    ids.splice(at + step, 0, view.id);
    change.mutate({ kind: "order", isForEverybody: view.isForEverybody, ids });
  };
  return (
    <li className="flex items-center gap-0.5 py-0.5">
      <Input
        aria-label={t("name", { name })}
        value={typed}
        maxLength={limits.nameMaxLength}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={rename}
        onKeyDown={({ key }) => key === "Enter" && rename()}
        className="mr-1 h-8 min-w-0"
      />
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t("up", { name })}
        disabled={at === 0}
        onClick={() => move(-1)}
      >
        <ArrowUp aria-hidden />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t("down", { name })}
        disabled={at === others.length - 1}
        onClick={() => move(1)}
      >
        <ArrowDown aria-hidden />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t("delete", { name })}
        pending={change.isPending && change.variables.kind === "delete"}
        onClick={() => change.mutate({ kind: "delete", id: view.id })}
      >
        <Trash2 aria-hidden />
      </Button>
    </li>
  );
}

/** Saves the current filters under a name. */
function NewView({ page, query, isAdmin }: { page: ListPage; query: string; isAdmin: boolean }) {
  const t = useMessages(viewMessages);
  const create = useChangeViews(page);
  const [name, setName] = useState("");
  const [isForEverybody, setForEverybody] = useState(false);
  function save(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() === "" || create.isPending) return;
    create.mutate(
      { kind: "create", name, query, isForEverybody },
      {
        onSuccess: () => {
          setName("");
          toast({ title: messagesOf(viewMessages)("savedTitle"), tone: "success" });
        },
      },
    );
  }
  return (
    <form onSubmit={save} className="grid gap-2 border-t pt-3">
      <div className="flex items-end gap-2">
        <Field label={t("saveLabel")} className="min-w-0 flex-1">
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={limits.nameMaxLength}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" disabled={name.trim() === ""} pending={create.isPending}>
          {t("save")}
        </Button>
      </div>
      {isAdmin ? (
        <CheckboxField checked={isForEverybody} onChange={setForEverybody}>
          {t("forEverybody")}
        </CheckboxField>
      ) : null}
    </form>
  );
}
