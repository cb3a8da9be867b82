import type { CallSettings, NotificationSettings, Settings } from "@portal/contract/entities/settings";
import type { CurrentUser, Language, ListSettings, Theme } from "@portal/contract/entities/user";
import { z } from "zod";
import { toE164 } from "../../../domain/phone.ts";
import { type Database, type Db, postgresCode, type Tx } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { Scheduler } from "../../../platform/jobs/jobs.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import { recordAudit } from "../../activity/service.ts";
import { mailEmailChange, type NotificationsContext } from "../../notifications/service.ts";
import { signInWays } from "../auth/list-sign-ins.ts";
import { endPasswordLinks } from "../auth/repository.ts";
import { type Photo, photoAddress, readPhoto } from "./read-photo.ts";
import {
  findPhoto,
  findUser,
  holdUser,
  savePhoto,
  type UserPatch,
  type UserRow,
  updateSeenAt,
  updateUser,
} from "./repository.ts";

/** Records when users were last active, from requests and open event streams; at most once a minute for each user. */
export interface Presence {
  /** The user made a request. */
  acted(userId: number): void;
  /** Browsers of these users have open event streams. */
  listened(userIds: number[]): void;
}

const everyMs = 60_000;

/** Records presence for one process; all processes write the same rows. */
export function createPresence({ db, scheduler }: { db: Db; scheduler: Scheduler }): Presence {
  const writer = (column: "last_active_at" | "last_seen_at") => {
    const written = new Map<number, number>();
    return (userIds: number[]) => {
      const now = performance.now();
      const due = userIds.filter((id) => now - (written.get(id) ?? Number.NEGATIVE_INFINITY) >= everyMs);
      if (due.length === 0) return;
      for (const id of due) written.set(id, now);
      scheduler.once(async () => {
        try {
          await updateSeenAt(db, column, due);
        } catch (error) {
          // The next event of these users tries again.
          for (const id of due) written.delete(id);
          throw error;
        }
      });
    };
  };
  const active = writer("last_active_at");
  return { acted: (userId) => active([userId]), listened: writer("last_seen_at") };
}

export interface UsersContext {
  database: Database;
  defaultCountry: "US" | "ES";
  notifications: NotificationsContext;
}

/** One user, or undefined. */
export function getUser(db: Db, userId: number): Promise<UserRow | undefined> {
  return findUser(db, userId);
}

/** An active account, locked against changes until the transaction ends. Errors: `unauthenticated`. */
export async function holdOpenAccount(tx: Tx, userId: number): Promise<UserRow> {
  const row = await holdUser(tx, userId);
  if (!row || row.disabledAt !== null) throw new AppError("unauthenticated");
  return row;
}

/** Errors: `not_found`. */
export async function findUserPhoto({ database }: Pick<UsersContext, "database">, userId: number) {
  const photo = await findPhoto(database.db, userId);
  if (!photo) throw new AppError("not_found");
  return photo;
}

interface ProfileInput {
  name?: string | undefined;
  email?: string | undefined;
  personalPhoneNumber?: string | null | undefined;
  /** A data URL; null removes the picture. */
  profileImage?: string | null | undefined;
}

/** A normalised email address. Errors: `invalid`. */
export function checkedEmail(typed: string): string {
  const email = typed.trim().toLowerCase();
  if (!z.email().safeParse(email).success) throw new AppError("invalid", "Enter a valid email address.");
  return email;
}

/** A normalised name: on one line, without control characters. Errors: `invalid`. */
export function checkedName(typed: string): string {
  const name = typed.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  if (name === "") throw new AppError("invalid", "The name cannot be empty.");
  return name;
}

function phonePatch(typed: string | null, country: "US" | "ES"): UserPatch {
  if (!typed?.trim()) return { personalPhone: null, personalPhoneE164: null };
  const e164 = toE164(typed, country);
  if (!e164)
    throw new AppError(
      "phone_invalid",
      "This is not a phone number we can call. Write it like (305) 555-0101.",
    );
  return { personalPhone: typed.trim(), personalPhoneE164: e164 };
}

function profilePatch(input: ProfileInput, country: "US" | "ES"): UserPatch {
  if (input.email?.trim() === "") throw new AppError("invalid", "The email address cannot be empty.");
  return {
    ...(input.name !== undefined && { name: checkedName(input.name) }),
    ...(input.email !== undefined && { email: checkedEmail(input.email) }),
    ...(input.personalPhoneNumber !== undefined && phonePatch(input.personalPhoneNumber, country)),
  };
}

/** Writes a user's changes to their own account, with the picture if there is one, and publishes them, in one transaction. */
async function changeUser(
  { database, notifications }: Pick<UsersContext, "database" | "notifications">,
  userId: number,
  patch: UserPatch,
  photo?: Photo | null,
): Promise<UserRow> {
  try {
    return await database.transaction(async (tx) => {
      const before = patch.email === undefined ? undefined : await findUser(tx, userId);
      const row = await updateUser(tx, userId, patch);
      if (!row) throw new AppError("unauthenticated");
      if (photo !== undefined) await savePhoto(tx, userId, photo);
      await recordAudit(tx, { userId, action: "profile-change", data: { fields: Object.keys(patch) } });
      if (before && before.email !== row.email) {
        // Links sent to the old address must no longer open the account.
        await endPasswordLinks(tx, userId);
        await mailEmailChange(tx, notifications, { userId, oldEmail: before.email });
      }
      // The user's other pages reload it, and every process drops its cached sessions.
      await publishEvent(tx, { topic: "session", id: userId, audience: [userId] });
      return row;
    });
  } catch (error) {
    if (postgresCode(error) === "23505")
      throw new AppError("email_taken", "Another account uses this email address.");
    throw error;
  }
}

/** Changes the fields that were sent. Errors: `invalid`, `phone_invalid`, `email_taken`, `image_invalid`. */
export async function updateProfile(
  context: UsersContext,
  { userId, ...input }: ProfileInput & { userId: number },
): Promise<CurrentUser> {
  const patch = profilePatch(input, context.defaultCountry);
  const { profileImage } = input;
  if (profileImage === undefined) return presentUser(await changeUser(context, userId, patch));
  const photo = profileImage === null ? null : readPhoto(profileImage);
  const image = photo && photoAddress(userId, photo);
  return presentUser(await changeUser(context, userId, { ...patch, image }, photo));
}

/** Stores theme, language, single keys, list views and the state of the sidebar with the account. */
export async function updateInterfaceSettings(
  context: UsersContext,
  input: {
    userId: number;
    theme?: Theme | undefined;
    language?: Language | undefined;
    singleKeys?: boolean | undefined;
    lists?: ListSettings | undefined;
    sidebarPinned?: boolean | undefined;
  },
): Promise<Pick<CurrentUser, "theme" | "language" | "singleKeys" | "lists" | "sidebarPinned">> {
  const { theme, language, singleKeys, lists, sidebarPinned } = await changeUser(context, input.userId, {
    ...(input.theme && { theme: input.theme }),
    ...(input.language && { language: input.language }),
    ...(input.singleKeys !== undefined && { singleKeys: input.singleKeys }),
    ...(input.lists && { lists: input.lists }),
    ...(input.sidebarPinned !== undefined && { sidebarPinned: input.sidebarPinned }),
  });
  return { theme, language, singleKeys, lists, sidebarPinned };
}

/** A user's own account for the API. */
export function presentUser(row: UserRow): CurrentUser {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    personalPhoneNumber: row.personalPhone,
    profileImage: row.image,
    theme: row.theme,
    language: row.language,
    autoDial: row.autoDial,
    pressOne: row.pressOne,
    singleKeys: row.singleKeys,
    lists: row.lists,
    sidebarPinned: row.sidebarPinned,
  };
}

type Sent<T> = { [Key in keyof T]?: T[Key] | undefined };

const notificationColumns = {
  email: "emailNotices",
  sms: "smsNotices",
  calls: "callNotices",
  meetings: "meetingNotices",
  pushNames: "pushNames",
} as const satisfies Record<keyof NotificationSettings, keyof UserRow>;

function presentCalls(row: UserRow): CallSettings {
  const { callRecording, voicemailTranscription, autoDial, pressOne } = row;
  return { callRecording, voicemailTranscription, autoDial, pressOne };
}

function presentNotifications(row: UserRow): NotificationSettings {
  const { emailNotices, smsNotices, callNotices, meetingNotices, pushNames } = row;
  return { email: emailNotices, sms: smsNotices, calls: callNotices, meetings: meetingNotices, pushNames };
}

const given = <T extends object>(sent: T) =>
  Object.entries(sent).filter(([, value]) => value !== undefined) as [string, boolean][];

/** The data of the settings page in addition to the current user. */
export async function getSettings(
  context: UsersContext & Parameters<typeof signInWays>[0],
  userId: number,
): Promise<Settings> {
  const [row, signIn] = await Promise.all([
    getUser(context.database.db, userId),
    signInWays(context, userId),
  ]);
  if (!row) throw new AppError("unauthenticated");
  return {
    notifications: presentNotifications(row),
    calls: presentCalls(row),
    mail: context.notifications.mailer !== null,
    signIn,
  };
}

/** Stores the given call settings with the account. */
export async function updateCallSettings(
  context: UsersContext,
  { userId, ...sent }: { userId: number } & Sent<CallSettings>,
): Promise<CallSettings> {
  const patch: UserPatch = Object.fromEntries(given(sent));
  return presentCalls(await changeUser(context, userId, patch));
}

/** Stores the given notification settings with the account. */
export async function updateNotificationSettings(
  context: UsersContext,
  { userId, ...sent }: { userId: number } & Sent<NotificationSettings>,
): Promise<NotificationSettings> {
  const patch: UserPatch = Object.fromEntries(
    given(sent).map(([kind, wanted]) => [notificationColumns[kind as keyof NotificationSettings], wanted]),
  );
  return presentNotifications(await changeUser(context, userId, patch));
}
