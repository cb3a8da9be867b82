import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import Provider, { type Context, type Grant } from "oidc-provider";
import { freePort } from "./server-process.ts";

/** What the provider tells of a person. */
export interface Person {
  email?: string;
  email_verified?: boolean | string;
}

const clientId = "portal";
const clientSecret = "a-secret-of-the-portal-at-the-provider";

/**
 * A real OpenID Connect provider for a portal at `portalUrl`. Its sign-in page responds at once: as the person set with `signIn`, or with a
 * refusal.
 */
export async function startLoginServer(portalUrl: string) {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const people = new Map<string, Person>();
  let current: string | null = null;
  let questions = 0;

  const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${portalUrl}/api/login/callback`],
        post_logout_redirect_uris: [`${portalUrl}/`],
      },
    ],
    jwks: { keys: [{ ...key, kid: "first", use: "sig", alg: "RS256" }] },
    cookies: { keys: ["a key of the provider's cookies"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    // Said, so that the package does not remind of it on each run.
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: (context: { body: string }, form: string) => {
          context.body = form;
        },
      },
    },
    interactions: { url: () => "/sign-in" },
    findAccount: (_context: unknown, sub: string) => {
      const person = people.get(sub);
      return person && { accountId: sub, claims: () => ({ sub, ...person }) };
    },
    // Nobody is asked to consent.
    loadExistingGrant: async ({ oidc }: Context): Promise<Grant> => {
      const grant = new provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope(oidc.params.scope);
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  const server = createServer((request, response) => {
    if (request.url !== "/sign-in") return void answer(request, response);
    questions += 1;
    const result = current ? { login: { accountId: current } } : { error: "access_denied" };
    void provider.interactionFinished(request, response, result);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");

  return {
    issuer,
    /** What a portal needs in its environment. */
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: "Test Login",
    },
    people,
    /** Who signs in from now on; null refuses. */
    signIn: (sub: string | null) => {
      current = sub;
    },
    /** How often somebody was asked to sign in there. */
    questions: () => questions,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
