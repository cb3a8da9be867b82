import { Link } from "@tanstack/react-router";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { overviewTexts } from "../overview-texts.ts";

/** The three steps of specification §2. */
export function QuickStart() {
  const t = useTexts(overviewTexts);
  const steps = [
    {
      title: t("step1Title"),
      text: t("step1Text"),
      action: (
        <Link to="/integrations" search={{ tab: "import" }} resetScroll={false}>
          {t("importAction")}
        </Link>
      ),
    },
    {
      title: t("step2Title"),
      text: t("step2Text"),
      action: (
        <Link to="/integrations" search={{ tab: "webhooks" }} resetScroll={false}>
          {t("webhooksAction")}
        </Link>
      ),
    },
    { title: t("step3Title"), text: t("step3Text"), action: <Link to="/">{t("step3Action")}</Link> },
  ];
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("quickStartTitle")}</CardTitle>
      </CardHeader>
      <CardContent>
        <ol className="grid gap-5 md:grid-cols-3">
          {steps.map(({ title, text, action }, index) => (
            <li key={title} className="flex gap-3">
              <span
                aria-hidden
                className="grid size-7 shrink-0 place-items-center rounded-full bg-primary font-semibold text-primary-foreground text-sm tabular-nums"
              >
                {index + 1}
              </span>
              <div className="grid content-start justify-items-start gap-1">
                <h3 className="font-medium text-sm leading-7">{title}</h3>
                <p className="text-muted-foreground text-sm">{text}</p>
                <Button variant="link" asChild className="px-0">
                  {action}
                </Button>
              </div>
            </li>
          ))}
        </ol>
      </CardContent>
    </Card>
  );
}
