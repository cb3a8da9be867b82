import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { settingsQuery } from "../../../lib/settings-query.ts";
import { Button } from "../../../ui/button.tsx";
import { accountTexts } from "../texts.ts";
import { PasswordForm } from "./password-form.tsx";

/** Where one changes one's password: here, or at the external login provider that keeps it. */
export function PasswordSection({ className }: { className?: string }) {
  const t = useTexts(accountTexts);
  const { data: settings } = useQuery(settingsQuery());
  const { password: isHere, provider } = settings?.signIn ?? { password: true, provider: null };
  return (
    <section className={cn("grid gap-4", className)}>
      <h3 className="font-semibold">{t("password")}</h3>
      {isHere ? <PasswordForm /> : null}
      {!isHere ? (
        <p className="text-muted-foreground text-sm">
          {provider ? t("passwordElsewhere", { name: provider.name }) : t("passwordMissing")}
        </p>
      ) : null}
      {!isHere && provider?.passwordPage ? (
        <Button asChild variant="secondary" className="justify-self-start">
          <a href={provider.passwordPage} target="_blank" rel="noreferrer">
            <ExternalLink aria-hidden />
            {t("passwordPage", { name: provider.name })}
          </a>
        </Button>
      ) : null}
    </section>
  );
}
