import { Link } from "@tanstack/react-router";
import { ArrowRight, BookOpen, FileUp, Webhook } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, CardTitle } from "../../../ui/card.tsx";
import { overviewTexts } from "../overview-texts.ts";

const features = [
  { tab: "import", icon: FileUp, name: "importTitle", text: "importText", action: "importAction" },
  { tab: "webhooks", icon: Webhook, name: "webhooksTitle", text: "webhooksText", action: "webhooksAction" },
  { tab: "api", icon: BookOpen, name: "apiTitle", text: "apiText", action: "apiAction" },
] as const;

/** The three other ways in, each leading to its tab (specification §2). */
export function FeatureCards() {
  const t = useTexts(overviewTexts);
  return (
    <section aria-label={t("featuresTitle")} className="grid gap-4 md:grid-cols-3">
      {features.map(({ tab, icon: Icon, name, text, action }) => (
        <Card key={tab} className="flex flex-col items-start gap-3 p-5">
          <span className="grid size-9 place-items-center rounded-lg bg-primary-soft text-primary-text">
            <Icon aria-hidden className="size-4.5" />
          </span>
          <div className="grid flex-1 content-start gap-1">
            <CardTitle>{t(name)}</CardTitle>
            <p className="text-muted-foreground text-sm">{t(text)}</p>
          </div>
          <Button variant="link" asChild className="px-0">
            <Link to="/integrations" search={{ tab }} resetScroll={false}>
              {t(action)}
              <ArrowRight aria-hidden />
            </Link>
          </Button>
        </Card>
      ))}
    </section>
  );
}
