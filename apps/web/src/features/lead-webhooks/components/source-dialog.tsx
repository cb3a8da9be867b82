import type { WebhookSource, WebhookSourceState } from "@portal/contract/entities/lead-webhook";
import { webhookSamples } from "@portal/contract/webhook-samples";
import { useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { type FormEvent, type RefObject, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import type { RawAnswer } from "../../../lib/raw-request.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { CheckboxField } from "../../../ui/checkbox.tsx";
import { Dialog, DialogBody } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../ui/tabs.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { sourceDialogMessages, webhooksMessages, webhookTestMessages } from "../messages.ts";
import { useSendTest } from "../queries.ts";
import { DeliveriesPanel, ScrollText } from "./deliveries-panel.tsx";
import { SetupPanel } from "./setup-panel.tsx";

/** Sends a sample to the real address and shows status and body of the response. */
function TestPanel({ source }: { source: WebhookSource }) {
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

/** JSON indented; other text unchanged. */
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

/** The sample of a source as text. */
function sampleOf(source: WebhookSource, id: string): string {
  return JSON.stringify(webhookSamples[source](id), null, 2);
}

export type SourceTab = "setup" | "test" | "deliveries";

interface SourceDialogProps {
  state: WebhookSourceState;
  startTab: SourceTab;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** The configuration of a source: address and key, a test, and its deliveries. */
export default function SourceDialog({ state, startTab, onClose, returnFocusTo }: SourceDialogProps) {
  const t = useMessages(sourceDialogMessages);
  const names = useMessages(webhooksMessages);
  const { data: user } = useQuery(currentUserQuery());
  const [tab, setTab] = useState<SourceTab>(startTab);
  const { source } = state;
  const isAdmin = user?.role === "admin";
  const setup = <SetupPanel state={state} isAdmin={isAdmin} />;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={source === "import" ? t("titleImport") : t("title", { source: names(`source_${source}`) })}
      returnFocusTo={returnFocusTo}
      closeOnOutside={false}
      className="h-[min(44rem,calc(100dvh-2rem))] max-w-2xl"
    >
      {source === "import" ? (
        <DialogBody className="grid content-start gap-5">{setup}</DialogBody>
      ) : (
        <Tabs
          value={tab}
          onValueChange={(value) => setTab(value as SourceTab)}
          className="flex min-h-0 flex-1 flex-col pt-2"
        >
          <TabsList aria-label={t("tabs")} className="mx-5 sm:mx-6">
            <TabsTrigger value="setup">{t("setupTab")}</TabsTrigger>
            <TabsTrigger value="test">{t("testTab")}</TabsTrigger>
            {isAdmin ? <TabsTrigger value="deliveries">{t("deliveriesTab")}</TabsTrigger> : null}
          </TabsList>
          <DialogBody className="pt-0">
            <TabsContent value="setup">{setup}</TabsContent>
            <TabsContent value="test">
              <TestPanel source={source} />
            </TabsContent>
            {isAdmin ? (
              <TabsContent value="deliveries">
                <DeliveriesPanel source={source} />
              </TabsContent>
            ) : null}
          </DialogBody>
        </Tabs>
      )}
    </Dialog>
  );
}
