import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { enterPortal, hasPasskeys } from "../auth/queries.ts";
import { secondFactorMessages } from "./messages.ts";
import { useSignInByPasskey } from "./use-passkey.ts";

/** Signs in by a passkey of this device; nothing where the browser or the address has none. */
export function PasskeyButton() {
  const t = useMessages(secondFactorMessages);
  const signIn = useSignInByPasskey(enterPortal);
  if (!hasPasskeys()) return null;
  return (
    <Button
      variant="secondary"
      size="lg"
      className="w-full"
      // After success the page is about to reload.
      pending={signIn.isPending || signIn.isSuccess}
      onClick={() => signIn.mutate()}
    >
      {t("usePasskey")}
    </Button>
  );
}
