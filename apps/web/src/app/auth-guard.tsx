import { type QueryClient, useQuery } from "@tanstack/react-query";
import type { RegisteredRouter } from "@tanstack/react-router";
import { CloudOff } from "lucide-react";
import { useEffect } from "react";
import { ApiError } from "../lib/api.ts";
import { fetchCode } from "../lib/connection.ts";
import { useLanguage, useMessages } from "../lib/i18n.ts";
import { currentUserQuery, pageSession, pendingStepOf } from "../lib/query-client.ts";
import { followAccount } from "../lib/session.ts";
import { readStored, STORAGE_KEYS } from "../lib/storage-keys.ts";
import { Button } from "../ui/button.tsx";
import { RequestId } from "../ui/request-id.tsx";
import { appMessages, FullPageMessage } from "./error-boundary.tsx";
import { Fetched, loadScreen, Splash } from "./splash.tsx";

const loadLogin = async () =>
  (await fetchCode(() => import("../features/identity/auth/login-page.tsx"))).LoginPage;
const loadLinkPage = async () =>
  (await fetchCode(() => import("../features/identity/auth/choose-password-page.tsx"))).ChoosePasswordPage;
const loadCodePage = async () =>
  (await fetchCode(() => import("../features/identity/second-factor/code-page.tsx"))).CodePage;
const loadSetupPage = async () =>
  (await fetchCode(() => import("../features/identity/second-factor/setup-page.tsx"))).SetupPage;
const portalCode = () => import("./portal.tsx");
const loadPortal = async () => (await fetchCode(portalCode)).Portal;

/** The page of a one-time link works with the link alone, signed in or not. */
const isLinkPage = () => window.location.pathname === "/choose-password";

// Loads in parallel with the request for the user, by a stored hint; if the hint is wrong, the other screen loads later, and shows a failure.
const isExpected = pageSession() ?? readStored(STORAGE_KEYS.loggedIn) !== null;
const loadFirst = isLinkPage() ? loadLinkPage : isExpected ? loadPortal : loadLogin;
const first = loadScreen<unknown>(loadFirst);
first.catch(() => undefined);

/**
 * Loads what the first screen needs, while the page shows its skeleton. After `late` it makes no router, because the rendered portal then
 * has its own.
 * @returns the signed-in user's router; null for others, and where a failure has to be shown
 */
export async function loadFirstScreen(
  client: QueryClient,
  late: AbortSignal,
): Promise<RegisteredRouter | null> {
  try {
    const isPortal = loadFirst === loadPortal && pageSession() === true;
    const [user] = await Promise.all([isPortal ? client.fetchQuery(currentUserQuery()) : null, first]);
    if (!user) return null;
    const { loadRouter } = await fetchCode(portalCode);
    return late.aborted ? null : await loadRouter(client, user);
  } catch {
    return null;
  }
}

/** Visitors who are not signed in see the login screen at every address. */
export function AuthGuard({ loaded = null }: { loaded?: RegisteredRouter | null }) {
  return isLinkPage() ? <Fetched load={loadLinkPage} props={{}} /> : <SignedInOrNot loaded={loaded} />;
}

function SignedInOrNot({ loaded }: { loaded: RegisteredRouter | null }) {
  const t = useMessages(appMessages);
  const language = useLanguage();
  const user = useQuery(currentUserQuery());
  useEffect(() => {
    if (user.data) followAccount(user.data);
  }, [user.data]);
  if (user.isPending) return <Splash />;
  const pending = pendingStepOf(user.error);
  if (pending)
    return <Fetched key={pending} load={pending === "code" ? loadCodePage : loadSetupPage} props={{}} />;
  if (user.data === undefined) {
    const broken = brokenAnswer(user.error);
    const words = broken && language === "en" ? broken.message : t(broken ? "brokenText" : "unreachableText");
    return (
      <FullPageMessage
        icon={CloudOff}
        title={t(broken ? "brokenTitle" : "unreachableTitle")}
        description={words}
      >
        <Button pending={user.isFetching} onClick={() => void user.refetch()}>
          {t("retry")}
        </Button>
        <RequestId error={broken} />
      </FullPageMessage>
    );
  }
  return user.data ? (
    <Fetched key="portal" load={loadPortal} props={{ user: user.data, loaded }} />
  ) : (
    <Fetched key="login" load={loadLogin} props={{}} />
  );
}

/** An unexpected response; null without a response, or for a proxy's report that the server is down. */
function brokenAnswer(error: Error | null): ApiError | null {
  return error instanceof ApiError && ![502, 503, 504].includes(error.status) ? error : null;
}
