import type { WebhookSource } from "@portal/contract/entities/lead-webhook";
import { webhookSamples } from "@portal/contract/webhook-samples";
import { Send } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import type { RawAnswer } from "../../../lib/raw-request.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { CheckboxField } from "../../../ui/checkbox.tsx";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { webhookTestMessages } from "../messages.ts";
import { useSendTest } from "../queries.ts";
import { ScrollText } from "./deliveries-panel.tsx";

/** Sends a sample through the real address and shows status and body. */
export function TestPanel({ source }: { source: WebhookSource }) {
  const t = useMessages(webhookTestMessages);
  const [body, setBody] = useState(() => sampleOf(source, `test-${Date.now()}`));
  const [createLead, setCreateLead] = useState(false);
  const test = useSendTest(source);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!test.isPending) test.mutate({ body, createLead });
  }
  return (
    <>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <Field label={t("sample")} hint={t("sampleHint")}>
          {(control) => (
            <Textarea
              {...control}
              spellCheck={false}
              className="font-mono text-xs"
              value={body}
              onChange={(event) => setBody(event.target.value)}
            />
          )}
        </Field>
        <CheckboxField
          checked={createLead}
          onChange={setCreateLead}
          hint={t("createLeadHint")}
          className="font-medium"
        >
          {t("createLead")}
        </CheckboxField>
        <Button type="submit" pending={test.isPending} className="justify-self-start">
          {test.isPending ? null : <Send aria-hidden />}
          {t(test.isPending ? "testing" : "send")}
        </Button>
      </form>
      {test.data ? <TestResult answer={test.data} /> : null}
      {test.isError ? (
        <p role="alert" className="text-danger-text text-sm">
          {t("unreachableText")}
        </p>
      ) : null}
    </>
  );
}

/** JSON with its lines broken, anything else as it came. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function TestResult({ answer }: { answer: RawAnswer }) {
  const t = useMessages(webhookTestMessages);
  const isGood = answer.status >= 200 && answer.status < 300;
  return (
    <section aria-label={t("result")} className="grid gap-2 border-t pt-5">
      <p className="flex items-center gap-2 text-sm">
        {t("status")}
        <Badge tone={isGood ? "success" : "danger"}>{`${answer.status} ${answer.statusText}`.trim()}</Badge>
      </p>
      <p className="text-sm">{t("body")}</p>
      <ScrollText label={t("body")} text={answer.body === "" ? t("emptyBody") : readable(answer.body)} />
    </section>
  );
}

/** The sample of a source, as text to be sent. */
function sampleOf(source: WebhookSource, id: string): string {
  return JSON.stringify(webhookSamples[source](id), null, 2);
}
