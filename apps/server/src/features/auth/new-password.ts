import { limits } from "@portal/contract/limits";
import { dictionary } from "@zxcvbn-ts/language-common";
import { AppError } from "../../http/app-error.ts";

const commonPasswords = new Set(dictionary["passwords-common"].slice(0, 3_000));

/** Refuses a password that is too short, too long or among the most used. Errors: `password_too_short`, `invalid`, `password_too_common`. */
export function checkNewPassword(password: string): void {
  if (password.length < limits.passwordMinLength) {
    throw new AppError("password_too_short", "Password must be at least 6 characters long.");
  }
  if (password.length > limits.passwordMaxLength) {
    throw new AppError("invalid", `Password must be at most ${limits.passwordMaxLength} characters long.`);
  }
  if (commonPasswords.has(password.toLowerCase())) {
    throw new AppError("password_too_common", "This password is among the most used ones. Choose another.");
  }
}
