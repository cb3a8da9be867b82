import { Link } from "@tanstack/react-router";
import { ClipboardList, ListOrdered, type LucideIcon, Pause, Phone } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.ts";
import { Card, CardContent } from "../../ui/card.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { DialerPanel } from "./components/dialer-panel.tsx";
import { useDialerPage } from "./dialer-store.ts";
import { dialerMessages, dialerPageMessages } from "./messages.ts";

/** The page `/auto-dialer`: the dialer with the recorded notes. */
export function AutoDialerPage() {
  const t = useMessages(dialerPageMessages);
  const dialer = useMessages(dialerMessages);
  useDialerPage();
  return (
    <div className="grid gap-5">
      <PageHeader title={t("title")} subtitle={dialer("hint")} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <Card className="min-w-0">
          <CardContent className="px-4 pb-0">
            <h2 className="sr-only">{t("session")}</h2>
            <DialerPanel />
          </CardContent>
        </Card>
        <aside aria-label={t("notes")} className="rounded-xl border bg-surface p-5 shadow-card">
          <h2 className="font-semibold text-base leading-6">{t("notes")}</h2>
          <ul className="mt-3 grid gap-3 text-sm">
            <Note icon={Phone}>
              {t("notePhoneBefore")}{" "}
              <Link
                to="/settings"
                className="font-medium text-primary-text underline underline-offset-4 hover:no-underline"
              >
                {t("settings")}
              </Link>
              {t("notePhoneAfter")}
            </Note>
            <Note icon={ListOrdered}>{t("noteSequence")}</Note>
            <Note icon={Pause}>{t("notePause")}</Note>
            <Note icon={ClipboardList}>{t("noteLogs")}</Note>
          </ul>
        </aside>
      </div>
    </div>
  );
}

function Note({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <li className="flex gap-2.5">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-primary-text" />
      <span>{children}</span>
    </li>
  );
}
