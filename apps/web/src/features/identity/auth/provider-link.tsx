import type { MouseEvent } from "react";
import { toUrl } from "../../../lib/api.ts";
import { errorMessages } from "../../../lib/error-messages.ts";
import { messagesOf, useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.ts";
import { authMessages } from "./messages.ts";

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

/** The browser's own page would take the place of this one. */
function stayWithoutNetwork(event: MouseEvent): void {
  if (navigator.onLine) return;
  event.preventDefault();
  const description = messagesOf(errorMessages)("noNetwork");
  toast({ title: messagesOf(authMessages)("loginFailed"), description, tone: "destructive" });
}

/** Leads to the external login provider: a navigation, which the server answers with a redirect there. */
export function ProviderLink({ name, isSecond }: ProviderLinkProps) {
  const t = useMessages(authMessages);
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
        <a href={toUrl("/api/login", { from: pageToComeBackTo() })} onClick={stayWithoutNetwork}>
          {t("signInWith", { name })}
        </a>
      </Button>
    </>
  );
}
