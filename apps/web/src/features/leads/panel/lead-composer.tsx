import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { withKey } from "../../../lib/keys.ts";
import { useLeadCommand } from "../../../lib/lead-commands.ts";
import { readTab, writeTab } from "../../../lib/storage-keys.ts";
import { CountBadge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../ui/tabs.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { Conversation } from "../../sms/components/conversation.tsx";
import { useAddNote } from "../mutations.ts";
import { leadPanelMessages } from "./messages.ts";

/** How long a shortcut waits for its field, in ms: a lead that may not be texted has none. */
const fieldMs = 1_000;

/** Writes a note, or an SMS to the lead below the earlier ones. */
export function LeadComposer({ lead }: { lead: Lead }) {
  const t = useMessages(leadPanelMessages);
  const [tab, setTab] = useState(lead.unreadTexts > 0 ? "text" : "note");
  const box = useRef<HTMLDivElement>(null);
  useLeadCommand(lead.id, ["note", "text"], (act) => {
    setTab(act);
    focusField(act, performance.now() + fieldMs);
  });
  /** Focuses the field of a tab once it is rendered, which takes more than a frame on a busy machine; without one the tab itself. */
  function focusField(of: string, until: number): void {
    requestAnimationFrame(() => {
      const field = box.current?.querySelector<HTMLElement>(`[data-tab=${of}]:not([hidden]) textarea`);
      if (field) field.focus();
      else if (performance.now() < until) focusField(of, until);
      else box.current?.querySelector<HTMLElement>("[role=tab][data-state=active]")?.focus();
    });
  }
  return (
    <Tabs
      ref={box}
      data-composer=""
      value={tab}
      onValueChange={setTab}
      className="overflow-hidden rounded-xl border"
    >
      <TabsList aria-label={t("write")} className="px-2">
        <TabsTrigger value="note" title={withKey(t("note"), "note")}>
          {t("note")}
        </TabsTrigger>
        <TabsTrigger value="text" title={withKey(t("text"), "text")}>
          {t("text")}
          {lead.unreadTexts > 0 ? (
            <CountBadge count={lead.unreadTexts} label={t("unread", { count: lead.unreadTexts })} />
          ) : null}
        </TabsTrigger>
      </TabsList>
      <TabsContent value="note" data-tab="note" className="p-3">
        <NoteForm lead={lead} />
      </TabsContent>
      <TabsContent value="text" data-tab="text" className="flex max-h-128 flex-col overflow-y-auto pt-0">
        <Conversation lead={lead} autoFocus={false} />
      </TabsContent>
    </Tabs>
  );
}

const draftKey = (leadId: number) => `lead-desk.note-draft.${leadId}`;

/** The unsaved text of a note, or null. */
export const unsavedNote = (leadId: number) => readTab(draftKey(leadId))?.trim() || null;

function NoteForm({ lead }: { lead: Lead }) {
  const t = useMessages(leadPanelMessages);
  const [typed, setTyped] = useState(() => readTab(draftKey(lead.id)) ?? "");
  const add = useAddNote(lead);
  const text = typed.trim();
  function write(next: string): void {
    setTyped(next);
    writeTab(draftKey(lead.id), next || null);
  }
  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (text === "" || add.isPending) return;
    add.mutate(text, { onSuccess: () => write("") });
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  }
  return (
    <form onSubmit={submit} className="grid gap-2">
      <Textarea
        rows={2}
        dir="auto"
        aria-label={t("note")}
        placeholder={t("notePlaceholder")}
        maxLength={limits.notesMaxLength}
        readOnly={add.isPending}
        value={typed}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        className="min-h-16"
      />
      <div className="flex items-center justify-between gap-3">
        <p className="text-muted-foreground text-xs pointer-coarse:invisible">{t("noteKeys")}</p>
        <Button type="submit" size="sm" variant="secondary" pending={add.isPending} disabled={text === ""}>
          {add.isPending ? t("adding") : t("addNote")}
        </Button>
      </div>
    </form>
  );
}
