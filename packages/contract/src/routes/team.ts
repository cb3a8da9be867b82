import { z } from "zod";
import { availabilityChangesSchema, availabilitySchema } from "../entities/availability.ts";
import { idSchema, text } from "../entities/fields.ts";
import { languages, roles } from "../entities/user.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

const memberParams = z.object({ id: idSchema });

export const teamMemberSchema = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  language: z.enum(languages),
  personalPhoneNumber: z.string().nullable(),
  profileImage: z.string().nullable(),
  createdAt: z.string(),
  /** When the account was closed; null while it is open. */
  disabledAt: z.string().nullable(),
  lastActiveAt: z.string().nullable(),
  /** Whether a password was ever set, and whether the account is linked to the external login provider. */
  hasPassword: z.boolean(),
  linked: z.boolean(),
  /** Whether a second factor is set up. */
  secondFactor: z.boolean(),
  /** Number of active sessions. */
  sessions: z.number(),
  /** Leads assigned now, and those of them that are not clients and can be transferred. */
  assigned: z.number(),
  leads: z.number(),
  availability: availabilitySchema,
});
export type TeamMember = z.infer<typeof teamMemberSchema>;

/** A one-time link to set a password, shown only once. Anyone who has it can sign in as that user. */
const passwordLinkSchema = z.object({ url: z.string(), expiresAt: z.string(), mailed: z.boolean() });

/** All accounts, including closed ones, by name. */
export const listTeam = defineRoute({
  method: "GET",
  path: "/api/team",
  summary: "All accounts",
  response: z.array(teamMemberSchema),
});

/** Creates an account and its one-time link. Its email address counts as set by an administrator. Errors: `invalid`, `email_taken`. */
export const createMember = defineRoute({
  method: "POST",
  path: "/api/team",
  summary: "Create an account",
  body: z.strictObject({
    name: text(limits.nameMaxLength),
    email: text(limits.emailMaxLength),
    role: z.enum(roles).default("consultant"),
    language: z.enum(languages).default("en"),
  }),
  response: z.object({ member: teamMemberSchema, link: passwordLinkSchema.nullable() }),
});

/** Changes the fields sent. Changing the role ends the user's sessions. Errors: `invalid`, `not_found`, `email_taken`, `last_admin`. */
export const updateMember = defineRoute({
  method: "PATCH",
  path: "/api/team/:id",
  summary: "Update an account",
  params: memberParams,
  body: z.strictObject({
    name: text(limits.nameMaxLength).optional(),
    email: text(limits.emailMaxLength).optional(),
    role: z.enum(roles).optional(),
    language: z.enum(languages).optional(),
  }),
  response: teamMemberSchema,
});

/**
 * Changes the fields sent of another user's availability. Errors: `not_found`, `invalid` (a time in the past, not an active consultant, the
 * person as their own stand-in).
 */
export const updateMemberAvailability = defineRoute({
  method: "PATCH",
  path: "/api/team/:id/availability",
  summary: "Update a user's availability, working hours and stand-in",
  params: memberParams,
  body: availabilityChangesSchema,
  response: teamMemberSchema,
});

/**
 * Closes an account: its sessions end at once and its dialer session stops. The leads stay assigned until they are transferred. Errors:
 * `not_found`, `last_admin`, `invalid` (the administrator's own account).
 */
export const deactivateMember = defineRoute({
  method: "POST",
  path: "/api/team/:id/deactivate",
  summary: "Close an account",
  params: memberParams,
  response: teamMemberSchema,
});

/** Reopens a closed account. Errors: `not_found`. */
export const reactivateMember = defineRoute({
  method: "POST",
  path: "/api/team/:id/reactivate",
  summary: "Reopen a closed account",
  params: memberParams,
  response: teamMemberSchema,
});

/**
 * Creates a one-time link to set a password; earlier links become invalid. Errors: `not_found`, `passwords_off`, `invalid` (a closed
 * account).
 */
export const resetPassword = defineRoute({
  method: "POST",
  path: "/api/team/:id/password-link",
  summary: "Create a one-time password link",
  params: memberParams,
  response: passwordLinkSchema,
});

/**
 * Unlinks the account from the login provider and ends all its sessions. A later sign-in there with the email address set by an
 * administrator links it again. Idempotent. Errors: `not_found`, `invalid` (the administrator's own account).
 */
export const unlinkMember = defineRoute({
  method: "DELETE",
  path: "/api/team/:id/login-link",
  summary: "Unlink a user from the login provider",
  params: memberParams,
  response: teamMemberSchema,
});

/**
 * Removes the user's second factor and recovery codes and ends all their sessions, for users who lost it. If their role requires one, they
 * set up a new one after signing in. Errors: `not_found` (none is set up), `invalid` (the administrator's own account).
 */
export const resetMemberSecondFactor = defineRoute({
  method: "DELETE",
  path: "/api/team/:id/second-factor",
  summary: "Reset a user's second factor",
  params: memberParams,
  response: teamMemberSchema,
});

/** Ends all sessions of the user. Errors: `not_found`. */
export const endMemberSessions = defineRoute({
  method: "DELETE",
  path: "/api/team/:id/sessions",
  summary: "End all sessions of a user",
  params: memberParams,
  response: z.object({ ended: z.number() }),
});

/**
 * Transfers leads of this user to others, in turns if there are several; clients are not transferred. At most 500 per request: `left` is
 * the number remaining. Errors: `not_found`, `invalid` (not an active consultant).
 */
export const transferMemberLeads = defineRoute({
  method: "POST",
  path: "/api/team/:id/transfer-leads",
  summary: "Reassign a user's leads",
  params: memberParams,
  body: z.strictObject({
    to: z.array(idSchema).min(1).max(50),
    notes: text(limits.notesMaxLength).nullish(),
  }),
  response: z.object({ transferred: z.number(), left: z.number() }),
});
