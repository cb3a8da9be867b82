import { availabilityChangesSchema, availabilitySchema } from "../entities/availability.ts";
import { defineRoute } from "../route.ts";

/** Whether one can be reached now, one's hours and one's stand-in. */
export const getAvailability = defineRoute({
  method: "GET",
  path: "/api/availability",
  summary: "Whether one can be reached, one's working hours and stand-in",
  response: availabilitySchema,
});

/**
 * Changes what is sent: away or available again, the working hours, the stand-in.
 * Errors: `invalid` (a time that has passed, no active consultant, oneself).
 */
export const updateAvailability = defineRoute({
  method: "PATCH",
  path: "/api/availability",
  summary: "Be away or available, or change one's working hours or stand-in",
  body: availabilityChangesSchema,
  response: availabilitySchema,
});
