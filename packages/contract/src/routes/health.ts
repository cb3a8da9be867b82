import { z } from "zod";
import { defineRoute } from "../route.ts";

/** Roles of a process: `web` answers requests, `worker` runs jobs and schedules. */
export const processRoles = ["web", "worker"] as const;
export type ProcessRole = (typeof processRoles)[number];

/** 200 once the server accepts requests. */
export const getHealth = defineRoute({
  method: "GET",
  path: "/api/health",
  summary: "Whether the server is up",
  response: z.object({ status: z.literal("ok") }),
});

/** 200 when database and jobs work, else 503 `unavailable`. */
export const getReady = defineRoute({
  method: "GET",
  path: "/api/ready",
  summary: "Whether the server is ready: database and jobs",
  response: z.object({
    status: z.literal("ok"),
    database: z.literal("ok"),
    jobs: z.literal("ok"),
    roles: z.array(z.enum(processRoles)),
    /** Whether statements are prepared once per connection (`named`); not possible behind a pooler that loses them. */
    statements: z.enum(["named", "unnamed"]),
  }),
});
