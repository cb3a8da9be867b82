import type { WebhookSourceState } from "@portal/contract/entities/lead-webhook";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Dialog, DialogBody } from "../../../ui/dialog.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../ui/tabs.tsx";
import { sourceDialogMessages, webhooksMessages } from "../messages.ts";
import { DeliveriesPanel } from "./deliveries-panel.tsx";
import { SetupPanel } from "./setup-panel.tsx";
import { TestPanel } from "./test-panel.tsx";

export type SourceTab = "setup" | "test" | "deliveries";

interface SourceDialogProps {
  state: WebhookSourceState;
  startTab: SourceTab;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** A source's configuration: address and key, a test, and its deliveries. */
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
