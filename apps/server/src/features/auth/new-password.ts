import { limits } from "@portal/contract/limits";
import { AppError } from "../../http/app-error.ts";

/** Read when the first password is chosen: half a megabyte that no start waits for. */
async function readCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].slice(0, 3_000));
}

let commonPasswords: Promise<Set<string>> | undefined;

/** Refuses a password that is too short, too long or among the most used. Errors: `password_too_short`, `invalid`, `password_too_common`. */
export async function checkNewPassword(password: string): Promise<void> {
  if (password.length < limits.passwordMinLength) {
    throw new AppError("password_too_short", "Password must be at least 6 characters long.");
  }
  if (password.length > limits.passwordMaxLength) {
    throw new AppError("invalid", `Password must be at most ${limits.passwordMaxLength} characters long.`);
  }
  commonPasswords ??= readCommonPasswords();
  if ((await commonPasswords).has(password.toLowerCase())) {
    throw new AppError("password_too_common", "This password is among the most used ones. Choose another.");
  }
}
