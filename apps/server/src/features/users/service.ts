import type { CallSettings } from "@portal/contract/entities/settings";
import type { CurrentUser, Language, Theme } from "@portal/contract/entities/user";
import { z } from "zod";
import { type Database, type Db, postgresCode, type Tx } from "../../db/client.ts";
import { AppError } from "../../http/app-error.ts";
import { toE164 } from "../../values/phone.ts";
import { recordAudit } from "../audit/service.ts";
import { findUser, holdUser, type UserRow, updateUser } from "./data.ts";
import { presentUser } from "./present.ts";

export interface UsersContext {
  database: Database;
  defaultCountry: "US" | "ES";
}

/** One user, or undefined. */
export function getUser(db: Db, userId: number): Promise<UserRow | undefined> {
  return findUser(db, userId);
}

/** An account that is open, and stays so until the transaction ends. Errors: `unauthenticated`. */
export async function holdOpenAccount(tx: Tx, userId: number): Promise<UserRow> {
  const row = await holdUser(tx, userId);
  if (!row || row.disabledAt !== null) throw new AppError("unauthenticated");
  return row;
}

type ProfileInput = { name?: string; email?: string; personalPhoneNumber?: string | null };
type Patch = Parameters<typeof updateUser>[2];

/** An address as it is kept. Errors: `invalid`. */
export function checkedEmail(typed: string): string {
  const email = typed.trim().toLowerCase();
  if (!z.email().safeParse(email).success) throw new AppError("invalid", "Enter a valid e-mail address.");
  return email;
}

/** A person's name as it is kept. Errors: `invalid`. */
export function checkedName(typed: string): string {
  const name = typed.trim();
  if (name === "") throw new AppError("invalid", "The name cannot be empty.");
  return name;
}

function phonePatch(typed: string | null, country: "US" | "ES"): Patch {
  if (!typed?.trim()) return { personalPhone: null, personalPhoneE164: null };
  const e164 = toE164(typed, country);
  if (!e164)
    throw new AppError(
      "phone_invalid",
      "This is not a phone number we can call. Write it like (305) 555-0101.",
    );
  return { personalPhone: typed.trim(), personalPhoneE164: e164 };
}

function profilePatch(input: ProfileInput, country: "US" | "ES"): Patch {
  if (input.email?.trim() === "") throw new AppError("invalid", "The e-mail address cannot be empty.");
  return {
    ...(input.name !== undefined && { name: checkedName(input.name) }),
    ...(input.email !== undefined && { email: checkedEmail(input.email) }),
    ...(input.personalPhoneNumber !== undefined && phonePatch(input.personalPhoneNumber, country)),
  };
}

async function changeUser(context: UsersContext, userId: number, patch: Patch): Promise<UserRow> {
  try {
    return await context.database.transaction(async (tx) => {
      const row = await updateUser(tx, userId, patch);
      if (!row) throw new AppError("unauthenticated");
      await recordAudit(tx, { userId, action: "profile-change", data: { fields: Object.keys(patch) } });
      return row;
    });
  } catch (error) {
    if (postgresCode(error) === "23505")
      throw new AppError("email_taken", "Another account uses this e-mail address.");
    throw error;
  }
}

/** Changes the fields that were sent (specification §5). Errors: `invalid`, `phone_invalid`, `email_taken`. */
export async function updateProfile(
  context: UsersContext,
  input: ProfileInput & { userId: number },
): Promise<CurrentUser> {
  const patch = profilePatch(input, context.defaultCountry);
  return presentUser(await changeUser(context, input.userId, patch));
}

/** Keeps theme and language with the account. */
export async function updateInterfaceSettings(
  context: UsersContext,
  input: { userId: number; theme?: Theme; language?: Language },
): Promise<{ theme: Theme; language: Language }> {
  const { theme, language } = await changeUser(context, input.userId, {
    ...(input.theme && { theme: input.theme }),
    ...(input.language && { language: input.language }),
  });
  return { theme, language };
}

/** Keeps the call settings that are sent with the account. */
export async function updateCallSettings(
  context: UsersContext,
  { userId, ...patch }: { userId: number } & { [Key in keyof CallSettings]?: CallSettings[Key] | undefined },
): Promise<CallSettings> {
  const sent = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const { callRecording, voicemailTranscription, autoDial, pressOne } = await changeUser(
    context,
    userId,
    sent,
  );
  return { callRecording, voicemailTranscription, autoDial, pressOne };
}
