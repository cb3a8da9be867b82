import type { Settings } from "@portal/contract/entities/settings";
import type { SignInOptions } from "@portal/contract/routes/auth";
import type { Db } from "../../../platform/db/client.ts";
import type { LoginProvider } from "../../../ports/login-provider.ts";
import { findSignInWays } from "./repository.ts";

/** How users may sign in: with a password stored here, at the external login provider, or both. */
export interface SignInPolicy {
  /** Whether passwords stored here are accepted. */
  localPasswords: boolean;
  loginProvider: LoginProvider | null;
}

/** The options of the login screen. */
export function signInOptions({ localPasswords, loginProvider }: SignInPolicy): SignInOptions {
  return { password: localPasswords, provider: loginProvider && { name: loginProvider.name } };
}

/**
 * How a user signs in, so that Settings can offer the right way to change the password. A linked user changes it at the provider, even if
 * an old password stored here is still accepted.
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
