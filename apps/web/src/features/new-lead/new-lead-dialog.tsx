import { type Lead, type Priority, priorities } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import type { KnownLead } from "@portal/contract/routes/leads";
import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { type RefObject, useRef, useState } from "react";
import { errorText } from "../../lib/errors.ts";
import { formatPhone } from "../../lib/format.ts";
import { messagesOf, useMessages } from "../../lib/i18n.ts";
import { leadLabelMessages } from "../../lib/lead-label-messages.ts";
import { openLead } from "../../lib/lead-panel.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { salesRepsQuery } from "../../lib/shared-queries.ts";
import { useClientRef } from "../../lib/use-client-ref.ts";
import { useSearchText } from "../../lib/use-search-text.ts";
import { useUnsavedGuard } from "../../lib/use-unsaved-guard.ts";
import { CheckboxField } from "../../ui/checkbox.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { LeadLink } from "../../ui/lead-link.tsx";
import { Select } from "../../ui/select.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { toast } from "../../ui/toast.ts";
import { newLeadMessages } from "./messages.ts";
import { type TypedAddress, useCreateLead, useKnownLeads } from "./queries.ts";

/** Initial values of the dialog. */
export interface NewLeadOptions {
  /** A caller's or sender's number, in any format. */
  phone?: string | undefined;
  /** Called with the created lead; without it the lead's panel opens. */
  onMade?: ((lead: Lead) => void) | undefined;
}

interface NewLeadDialogProps extends NewLeadOptions {
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

const empty = { firstName: "", lastName: "", company: "", leadSource: "", notes: "" };
type Texts = typeof empty;
const nobody = "nobody";

/** New Lead, with a warning while typing if the lead exists already. The input stays if saving fails. */
export default function NewLeadDialog(props: NewLeadDialogProps) {
  const { phone = "", onMade, onClose, returnFocusTo } = props;
  const t = useMessages(newLeadMessages);
  const label = useMessages(leadLabelMessages);
  const { data: viewer } = useQuery(currentUserQuery());
  const isAdmin = viewer?.role === "admin";
  const [asked, setAsked] = useState<TypedAddress>({ phone, email: "" });
  const [typedPhone, setPhone] = useSearchText(asked.phone, (next) => setAsked({ ...asked, phone: next }));
  const [typedEmail, setEmail] = useSearchText(asked.email, (next) => setAsked({ ...asked, email: next }));
  const known = useKnownLeads(asked);
  const [texts, setTexts] = useState<Texts>(empty);
  const [priority, setPriority] = useState<Priority>("medium");
  const [rep, setRep] = useState(nobody);
  const [isNumberShared, setNumberShared] = useState(false);
  const [tried, setTried] = useState(false);
  const save = useCreateLead();
  const clientRef = useClientRef();
  const isSent = useRef(false);
  const isMissing = typedPhone.trim() === "" && typedEmail.trim() === "";
  useUnsavedGuard(
    [typedPhone === phone ? "" : typedPhone, typedEmail, ...Object.values(texts)].some(Boolean),
  );

  function submit(): void {
    // A ref instead of the mutation's state, as a double click arrives before the next render.
    if (isSent.current) return;
    setTried(true);
    if (isMissing) return;
    isSent.current = true;
    const lead = {
      ...texts,
      phone: typedPhone,
      email: typedEmail,
      priority,
      isKnownPhoneFine: isNumberShared,
      ...(isAdmin && { salesRepId: rep === nobody ? null : Number(rep) }),
    };
    save.mutate(
      { ...lead, clientRef: clientRef.of(lead) },
      {
        onSuccess: (made) => {
          const m = messagesOf(newLeadMessages);
          const text = m(isAdmin ? "addedTextEveryone" : "addedText", { name: made.name });
          toast({ title: m("addedTitle"), description: text, tone: "success" });
          onClose();
          if (onMade) onMade(made);
          else openLead(made.id, returnFocusTo.current);
        },
        onError: () => {
          isSent.current = false;
        },
      },
    );
  }

  const text = (name: keyof Texts, maxLength: number, placeholder?: string) => (
    <Field label={t(name === "leadSource" ? "source" : name)}>
      {(control) => (
        <Input
          {...control}
          maxLength={maxLength}
          autoComplete="off"
          placeholder={placeholder}
          value={texts[name]}
          onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
        />
      )}
    </Field>
  );
  const pair = "grid gap-4 sm:grid-cols-2";
  return (
    <FormDialog
      title={t("title")}
      description={t("hint")}
      cancel={t("cancel")}
      action={t("add")}
      acting={t("adding")}
      isPending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    >
      <div className={pair}>
        {text("firstName", limits.nameMaxLength)}
        {text("lastName", limits.nameMaxLength)}
      </div>
      <div className={pair}>
        <Field label={t("phone")} error={tried && isMissing ? t("missing") : undefined}>
          {(control) => (
            <Input
              {...control}
              type="tel"
              maxLength={limits.phoneMaxLength}
              autoComplete="off"
              value={typedPhone}
              onChange={(event) => setPhone(event.target.value)}
            />
          )}
        </Field>
        <Field label={t("email")}>
          {(control) => (
            <Input
              {...control}
              type="email"
              maxLength={limits.emailMaxLength}
              autoComplete="off"
              value={typedEmail}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
      </div>
      <KnownLeads
        leads={known}
        onOpen={onClose}
        isNumberShared={isNumberShared}
        onNumberShared={setNumberShared}
      />
      {text("company", limits.nameMaxLength)}
      <div className={pair}>
        {text("leadSource", limits.sourceMaxLength, t("sourcePlaceholder"))}
        <Field label={t("priority")}>
          {(control) => (
            <Select<Priority>
              {...control}
              value={priority}
              onValueChange={setPriority}
              options={priorities.map((value) => ({ value, label: label(value) }))}
            />
          )}
        </Field>
      </div>
      {isAdmin ? <RepField value={rep} onChange={setRep} /> : null}
      <Field label={t("notes")}>
        {(control) => (
          <Textarea
            {...control}
            maxLength={limits.notesMaxLength}
            value={texts.notes}
            onChange={(event) => setTexts({ ...texts, notes: event.target.value })}
          />
        )}
      </Field>
      {save.error ? (
        <p role="alert" className="text-danger-text text-sm">
          {errorText(save.error, t("failed"))}
        </p>
      ) : null}
    </FormDialog>
  );
}

/** The lead's consultant; for administrators. */
function RepField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useMessages(newLeadMessages);
  const { data: reps = [] } = useQuery(salesRepsQuery());
  const options = reps.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <Field label={t("salesRep")}>
      {(control) => (
        <Select
          {...control}
          value={value}
          onValueChange={onChange}
          options={[{ value: nobody, label: t("nobody") }, ...options]}
        />
      )}
    </Field>
  );
}

interface KnownLeadsProps {
  leads: readonly KnownLead[];
  /** Called when a lead's panel opens instead of the dialog. */
  onOpen: () => void;
  isNumberShared: boolean;
  onNumberShared: (isShared: boolean) => void;
}

/** Warns about leads with the same number or email, with links to them; a number may be shared by several people. */
function KnownLeads({ leads, onOpen, isNumberShared, onNumberShared }: KnownLeadsProps) {
  const t = useMessages(newLeadMessages);
  const isByPhoneOnly = leads.every(({ by }) => !by.includes("email"));
  // The live region exists before its text, or screen readers would not announce it.
  return (
    <div role="status" className="empty:hidden">
      {leads.length === 0 ? null : (
        <div className="grid gap-2 rounded-md border border-warning-text/30 bg-warning-soft px-3 py-2.5 text-sm">
          <p className="flex items-center gap-2 font-medium text-warning-text">
            <TriangleAlert aria-hidden className="size-4 shrink-0" />
            {t("knownTitle")}
          </p>
          <ul className="grid gap-1.5">
            {leads.map((lead) => (
              <KnownLeadLine key={lead.id} lead={lead} onOpen={onOpen} />
            ))}
          </ul>
          {isByPhoneOnly ? (
            <CheckboxField checked={isNumberShared} onChange={onNumberShared}>
              {t("sharesNumber")}
            </CheckboxField>
          ) : null}
        </div>
      )}
    </div>
  );
}

function KnownLeadLine({ lead, onOpen }: { lead: KnownLead; onOpen: () => void }) {
  const t = useMessages(newLeadMessages);
  const { by, company, phone, salesRepName } = lead;
  const isBoth = by.length > 1;
  const details = [
    company,
    phone && formatPhone(phone),
    salesRepName ? t("withRep", { name: salesRepName }) : t("unassigned"),
    t(isBoth ? "byBoth" : by[0] === "email" ? "byEmail" : "byPhone"),
  ];
  return (
    <li className="grid min-w-0">
      <LeadLink
        leadId={lead.id}
        onOpen={onOpen}
        className="justify-self-start font-medium underline pointer-coarse:py-2.5"
      >
        {lead.name}
      </LeadLink>
      <span className="text-[0.8125rem] [overflow-wrap:anywhere]">{details.filter(Boolean).join(" · ")}</span>
    </li>
  );
}
