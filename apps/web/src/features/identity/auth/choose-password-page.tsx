import { useQuery } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { ApiError } from "../../../lib/api.ts";
import { errorText } from "../../../lib/errors.ts";
import { setLanguage, useMessages } from "../../../lib/i18n.ts";
import { page, useDocumentTitle } from "../../../lib/navigation.ts";
import { readStored, STORAGE_KEYS } from "../../../lib/storage-keys.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { ChoosePasswordForm, passwordLinkMessages } from "./choose-password-form.tsx";
import { passwordLinkQuery } from "./queries.ts";
import { LanguageSwitch, SignInFrame } from "./sign-in-frame.tsx";

function onHashChange(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

/** Whoever comes by a link may never have been here: the browser's language until another is picked. */
function speakBrowsersLanguage(): void {
  if (readStored(STORAGE_KEYS.language) === null && navigator.language.startsWith("es")) setLanguage("es");
}

/** The page of a one-time link. Its token is the address's fragment, which the browser sends to nobody. */
export function ChoosePasswordPage() {
  useState(speakBrowsersLanguage);
  const token = useSyncExternalStore(onHashChange, () => window.location.hash.slice(1));
  return <LinkPage key={token} token={token} />;
}

function LinkPage({ token }: { token: string }) {
  const t = useMessages(passwordLinkMessages);
  const [isDone, setDone] = useState(false);
  const link = useQuery({ ...passwordLinkQuery(token), enabled: token !== "" });
  useDocumentTitle(t(isDone ? "doneTitle" : "heading"));
  const languages = <LanguageSwitch />;

  if (isDone) {
    return (
      <SignInFrame heading={t("doneTitle")} subtitle={t("doneText")}>
        <p role="status" className="text-muted-foreground">
          {t("doneHint")}
        </p>
        <Button size="lg" autoFocus onClick={() => page.go("/")}>
          {t("toSignIn")}
        </Button>
      </SignInFrame>
    );
  }
  if (link.data) {
    return (
      <SignInFrame heading={t("heading")} subtitle={t("subtitle", link.data)}>
        <ChoosePasswordForm token={token} email={link.data.email} onDone={() => setDone(true)} />
        {languages}
      </SignInFrame>
    );
  }
  if (token !== "" && link.isPending) {
    return (
      <SignInFrame heading={t("heading")} subtitle={t("checking")}>
        <Skeleton className="h-48" />
      </SignInFrame>
    );
  }
  const code = link.error instanceof ApiError ? link.error.code : undefined;
  const isUsed = token === "" || code === "password_link_invalid";
  // Any other answer (nobody there, too many tries) may be a better one in a while.
  const isBad = isUsed || code === "passwords_off";
  return (
    <SignInFrame
      heading={t(isBad ? "badTitle" : "failedTitle")}
      subtitle={isUsed ? t("badLink") : errorText(link.error)}
    >
      <div className="grid gap-3">
        {isBad ? null : (
          <Button size="lg" pending={link.isFetching} onClick={() => void link.refetch()}>
            {t("retry")}
          </Button>
        )}
        <Button size="lg" variant="secondary" onClick={() => page.go("/")}>
          {t("toSignIn")}
        </Button>
      </div>
      {languages}
    </SignInFrame>
  );
}
