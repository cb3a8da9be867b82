import { textOf } from "../../lib/i18n.ts";
import { toast } from "../../ui/toast.ts";
import { googleTexts } from "./google-texts.ts";

const failures = { denied: "denied", "signed-out": "signedOut" } as const;

/** How a consent went, out of the address that Google's answer led back to; it is told once and leaves the address. */
export function tellGoogleResult(): void {
  const address = new URL(window.location.href);
  const result = address.searchParams.get("google");
  if (result === null) return;
  address.searchParams.delete("google");
  window.history.replaceState(window.history.state, "", address);
  const t = textOf(googleTexts);
  if (result === "connected")
    toast({ title: t("connectedTitle"), description: t("connectedText"), tone: "success" });
  else
    toast({
      title: t("connectFailed"),
      description: t(failures[result as keyof typeof failures] ?? "failed"),
      tone: "destructive",
    });
}
