import { toUrl } from "../../../lib/api.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { authTexts } from "../texts.ts";

interface ProviderLinkProps {
  name: string;
  /** Whether the form for a password stands above. */
  isSecond: boolean;
}

/** As a sign-in by password, which stays at its address; the first page needs no mention. */
function pageToComeBackTo(): string {
  const { pathname, searchParams } = new URL(window.location.href);
  searchParams.delete("login_error");
  const address = toUrl(pathname, Object.fromEntries(searchParams));
  return address === "/" ? "" : address;
}

/** Leads to the external login provider: a navigation, which the server answers with a redirect there. */
export function ProviderLink({ name, isSecond }: ProviderLinkProps) {
  const t = useTexts(authTexts);
  return (
    <>
      {isSecond ? (
        <p className="flex items-center gap-3 text-muted-foreground text-sm before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
          {t("or")}
        </p>
      ) : null}
      <Button
        asChild
        size="lg"
        variant={isSecond ? "secondary" : "primary"}
        className="h-auto min-h-11 w-full whitespace-normal py-2"
      >
        <a href={toUrl("/api/login", { from: pageToComeBackTo() })}>{t("signInWith", { name })}</a>
      </Button>
    </>
  );
}
