import { startTestSandbox } from "./sandbox.ts";
import { buildTestApp, type Client, type Reply } from "./test-app.ts";

/** Google with its consent page, an app whose queues nobody works (the test syncs), and how a person connects. */
export async function openGoogleHarness() {
  const sandbox = await startTestSandbox();
  const app = await buildTestApp({ env: sandbox.env });
  app.deps.google.jobs = { ...app.deps.jobs, enqueue: async () => undefined };

  /** Answers the consent page as the account's owner; where the browser is sent then. */
  async function consent(
    client: Client,
    answer: { decision?: "allow" | "deny"; scope?: string[]; account?: string } = {},
  ): Promise<string> {
    const { body } = await client.get("/api/google/auth");
    const { searchParams, search } = new URL(body.authUrl);
    const form = new URLSearchParams({
      request: search.slice(1),
      account: answer.account ?? client.user.email,
      decision: answer.decision ?? "allow",
    });
    for (const one of answer.scope ?? String(searchParams.get("scope")).split(" ")) form.append("scope", one);
    const page = await fetch(`${sandbox.url}/google/consent`, {
      method: "POST",
      body: form,
      redirect: "manual",
    });
    const { pathname, search: back } = new URL(String(page.headers.get("location")));
    return `${pathname}${back}`;
  }

  return {
    sandbox,
    app,
    consent,
    connect: async (client: Client, account?: string): Promise<Reply> =>
      client.get(await consent(client, account === undefined ? {} : { account })),
    failNext: (rule: object) => sandbox.control("POST", "/fail", { vendor: "google", ...rule }),
    /** The account's events in Google, deleted ones too. */
    events: async ({ user }: Client, account = user.email) =>
      (await sandbox.control("GET", `/google/events?account=${account}`)).events,
    async close() {
      await app.close();
      await sandbox.close();
    },
  };
}

export type GoogleHarness = Awaited<ReturnType<typeof openGoogleHarness>>;
