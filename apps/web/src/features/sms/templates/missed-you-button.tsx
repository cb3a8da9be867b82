import type { Lead } from "@portal/contract/entities/lead";
import { unfilledField } from "@portal/contract/sms-template";
import { useQuery } from "@tanstack/react-query";
import { Check, MessageSquareReply } from "lucide-react";
import { defineMessages, useLanguage, useMessages } from "../../../lib/i18n.ts";
import { Button, offButton } from "../../../ui/button.tsx";
import { filledTemplatesQuery, useSendSms } from "../queries.ts";
import { openThread } from "../sms-dock.tsx";
import { readDraft, saveDraft } from "../thread-state.ts";
import { useSmsRefusal } from "../use-sms-refusal.ts";

const messages = defineMessages("missed-you", {
  send: ["Missed you", "Te llamé"],
  sent: ["Text sent", "Mensaje enviado"],
  sends: ["Sends: {text}", "Envía: {text}"],
});

/** Sends the template for missed calls in the lead's language at once. If a field of it is empty it opens the thread instead. */
export function MissedYouButton({ lead }: { lead: Lead }) {
  const t = useMessages(messages);
  const own = useLanguage();
  const { data } = useQuery(filledTemplatesQuery(lead.id));
  const send = useSendSms(lead.id);
  const refusal = useSmsRefusal(lead);
  const template = data?.templates.find(({ id }) => id === data.missedCallId);
  const language = data?.language ?? own;
  const text = template && (template[language] ?? template.en ?? template.es);
  if (!template || !text || refusal) return null;
  const press = () => {
    if (unfilledField(text)) {
      if (readDraft(lead.id) === "") saveDraft(lead.id, text);
      openThread(lead);
    } else send.mutate({ message: text, templateVersionId: template.versionId, keepsDraft: true });
  };
  const isSent = send.isSuccess && send.data.status !== "failed";
  return (
    <Button
      size="sm"
      variant="secondary"
      title={t("sends", { text })}
      pending={send.isPending}
      onClick={press}
      {...(isSent && offButton)}
    >
      {isSent ? <Check aria-hidden /> : send.isPending ? null : <MessageSquareReply aria-hidden />}
      <span role="status">{t(isSent ? "sent" : "send")}</span>
    </Button>
  );
}
