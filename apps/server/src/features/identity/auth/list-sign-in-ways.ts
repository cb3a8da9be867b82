import type { Settings } from "@portal/contract/entities/settings";
import type { SignInOptions } from "@portal/contract/routes/auth";
import type { Db } from "../../../platform/db/client.ts";
import type { LoginProvider } from "../../../ports/login-provider.ts";
import { findSignInWays } from "./repository.ts";

/** Where people may sign in: with a password kept here, at the external login provider, or both. */
export interface SignInPolicy {
  /** Whether passwords kept here are taken. */
  localPasswords: boolean;
  loginProvider: LoginProvider | null;
}

/** What the login screen offers. */
export function signInOptions({ localPasswords, loginProvider }: SignInPolicy): SignInOptions {
  return { password: localPasswords, provider: loginProvider && { name: loginProvider.name } };
}

/**
 * How one user signs in: what Settings leads them to where they want another password. Whoever is linked changes it at the provider, also
 * where a password from before is still taken.
 */
export async function signInWays(
  context: SignInPolicy & { database: { db: Db } },
  userId: number,
): Promise<Settings["signIn"]> {
  const { loginProvider: provider, localPasswords } = context;
  const ways = await findSignInWays(context.database.db, { userId, issuer: provider?.issuer ?? null });
  return {
    password: localPasswords && ways.password && !ways.linked,
    provider: provider && {
      name: provider.name,
      linked: ways.linked,
      canUnlink: ways.linked && ways.password && localPasswords,
      passwordPage: provider.passwordPage,
    },
  };
}
