import { loginErrors } from "@portal/contract/routes/auth";
import { useEffect, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { authTexts } from "../texts.ts";

function errorOfAddress() {
  const code = new URLSearchParams(window.location.search).get("login_error");
  return loginErrors.find((known) => known === code) ?? null;
}

/** Why the login provider brought nobody back; the address forgets it, so that a reload does not tell it again. */
export function LoginError({ provider }: { provider: string | undefined }) {
  const t = useTexts(authTexts);
  const [code] = useState(errorOfAddress);
  useEffect(() => {
    if (code) window.history.replaceState(window.history.state, "", window.location.pathname);
  }, [code]);
  if (!code) return null;
  return (
    <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger-text text-sm">
      {t(code, { name: provider ?? t("loginProvider") })}
    </p>
  );
}
