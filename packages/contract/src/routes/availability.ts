import { availabilityChangesSchema, availabilitySchema } from "../entities/availability.ts";
import { defineRoute } from "../route.ts";

/** The user's availability, working hours and stand-in. */
export const getAvailability = defineRoute({
  method: "GET",
  path: "/api/availability",
  summary: "The user's availability, working hours and stand-in",
  response: availabilitySchema,
});

/**
 * Changes the fields sent: away or available, working hours, stand-in. Errors: `invalid` (a time in the past, not an active consultant, the
 * user themselves).
 */
export const updateAvailability = defineRoute({
  method: "PATCH",
  path: "/api/availability",
  summary: "Set the user's availability, working hours or stand-in",
  body: availabilityChangesSchema,
  response: availabilitySchema,
});
