import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useTexts } from "../lib/i18n.ts";
import { Button } from "../ui/button.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { shellTexts } from "./shell-texts.ts";

export function NotFound() {
  const t = useTexts(shellTexts);
  return (
    <div className="grid min-h-[60vh] place-items-center content-center gap-5 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-primary-soft text-primary-text">
        <Compass aria-hidden className="size-6" />
      </span>
      <PageHeader title={t("notFoundTitle")} subtitle={t("notFoundText")} />
      <Button asChild>
        <Link to="/">{t("backToDashboard")}</Link>
      </Button>
    </div>
  );
}
