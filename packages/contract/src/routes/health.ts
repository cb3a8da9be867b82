import { z } from "zod";
import { defineRoute } from "../route.ts";

/** 200 once the server can serve. */
export const getHealth = defineRoute({
  method: "GET",
  path: "/api/health",
  summary: "Whether the server serves",
  response: z.object({ status: z.literal("ok") }),
});

/** 200 when database and jobs work, else 503 `unavailable`. */
export const getReady = defineRoute({
  method: "GET",
  path: "/api/ready",
  summary: "Whether database and jobs work",
  response: z.object({ status: z.literal("ok"), database: z.literal("ok"), jobs: z.literal("ok") }),
});
