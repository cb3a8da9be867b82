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
  /** Whether a password was ever chosen, and whether the account is linked to the external login provider. */
  hasPassword: z.boolean(),
  linked: z.boolean(),
  /** Whether a second factor is set up. */
  secondFactor: z.boolean(),
  /** Browsers that are signed in. */
  sessions: z.number(),
  /** Leads assigned now, and those of them that are no clients: what can be given to others. */
  assigned: z.number(),
  leads: z.number(),
  availability: availabilitySchema,
});
export type TeamMember = z.infer<typeof teamMemberSchema>;

/** A one-time link to choose a password, shown once; who has it can sign in as that person. */
const passwordLinkSchema = z.object({ url: z.string(), expiresAt: z.string(), mailed: z.boolean() });

/** Everybody, closed accounts too, by name. */
export const listTeam = defineRoute({
  method: "GET",
  path: "/api/team",
  summary: "All accounts",
  response: z.array(teamMemberSchema),
});

/** Opens an account and makes its one-time link; the address is one that an administrator gave. Errors: `invalid`, `email_taken`. */
export const createMember = defineRoute({
  method: "POST",
  path: "/api/team",
  summary: "Open an account",
  body: z.strictObject({
    name: text(limits.nameMaxLength),
    email: text(limits.emailMaxLength),
    role: z.enum(roles).default("consultant"),
    language: z.enum(languages).default("en"),
  }),
  response: z.object({ member: teamMemberSchema, link: passwordLinkSchema.nullable() }),
});

/** Changes what is sent; another role ends the person's sessions. Errors: `invalid`, `not_found`, `email_taken`, `last_admin`. */
export const updateMember = defineRoute({
  method: "PATCH",
  path: "/api/team/:id",
  summary: "Change an account",
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
 * Changes what is sent of whether a person can be reached, for them. Errors: `not_found`, `invalid` (a time that has passed, no active
 * consultant, oneself as one's own stand-in).
 */
export const updateMemberAvailability = defineRoute({
  method: "PATCH",
  path: "/api/team/:id/availability",
  summary: "Change when a person can be reached and who stands in",
  params: memberParams,
  body: availabilityChangesSchema,
  response: teamMemberSchema,
});

/**
 * Closes an account: the person is out at once, a calling session of theirs stops. Their leads stay with them until they are transferred.
 * Errors: `not_found`, `last_admin`, `invalid` (oneself).
 */
export const deactivateMember = defineRoute({
  method: "POST",
  path: "/api/team/:id/deactivate",
  summary: "Close an account",
  params: memberParams,
  response: teamMemberSchema,
});

/** Opens a closed account again. Errors: `not_found`. */
export const reactivateMember = defineRoute({
  method: "POST",
  path: "/api/team/:id/reactivate",
  summary: "Open a closed account again",
  params: memberParams,
  response: teamMemberSchema,
});

/** Makes a one-time link to choose a password; earlier ones end. Errors: `not_found`, `passwords_off`, `invalid` (a closed account). */
export const resetPassword = defineRoute({
  method: "POST",
  path: "/api/team/:id/password-link",
  summary: "Make a one-time link to choose a password",
  params: memberParams,
  response: passwordLinkSchema,
});

/**
 * Unlinks the account from the login provider and signs the person out everywhere; a sign-in there by the address that an administrator gave
 * links it anew. Unlinking what is not linked changes nothing. Errors: `not_found`, `invalid` (oneself).
 */
export const unlinkMember = defineRoute({
  method: "DELETE",
  path: "/api/team/:id/login-link",
  summary: "Unlink a person from the login provider",
  params: memberParams,
  response: teamMemberSchema,
});

/**
 * Removes the person's second factor with its recovery codes, and signs them out everywhere: for whoever has lost it. Where their role needs
 * one, they set up another after signing in. Errors: `not_found` (there is none), `invalid` (oneself).
 */
export const resetMemberSecondFactor = defineRoute({
  method: "DELETE",
  path: "/api/team/:id/second-factor",
  summary: "Reset a person's second factor",
  params: memberParams,
  response: teamMemberSchema,
});

/** Signs the person out everywhere. Errors: `not_found`. */
export const endMemberSessions = defineRoute({
  method: "DELETE",
  path: "/api/team/:id/sessions",
  summary: "Sign a person out everywhere",
  params: memberParams,
  response: z.object({ ended: z.number() }),
});

/**
 * Gives leads of this person to others, in turns where there are several; clients stay. At most 500 at a time: `left` says how many wait.
 * Errors: `not_found`, `invalid` (no active consultant).
 */
export const transferMemberLeads = defineRoute({
  method: "POST",
  path: "/api/team/:id/transfer-leads",
  summary: "Give a person's leads to others",
  params: memberParams,
  body: z.strictObject({
    to: z.array(idSchema).min(1).max(50),
    notes: text(limits.notesMaxLength).nullish(),
  }),
  response: z.object({ transferred: z.number(), left: z.number() }),
});
