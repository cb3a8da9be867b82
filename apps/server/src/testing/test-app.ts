import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import { buildApp } from "../app.ts";
import { createDeps, type Deps } from "../deps.ts";
import { readEnv } from "../env.ts";
import { ensureMetrics } from "../platform/db/metrics.ts";
import { startJobs } from "../start-jobs.ts";
import { buildUser, type TestUser } from "./factories.ts";
import { freePort, patientSettings } from "./server-process.ts";
import { createTestDatabase } from "./test-database.ts";

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked field by field in the tests
  body: any;
  headers: LightMyRequestResponse["headers"];
}

/** A signed-in person's requests. */
export interface Client {
  user: TestUser;
  cookie: string;
  get(path: string): Promise<Reply>;
  post(path: string, body?: object): Promise<Reply>;
  delete(path: string): Promise<Reply>;
  patch(path: string, body?: object): Promise<Reply>;
}

export interface TestApp {
  app: FastifyInstance;
  deps: Deps;
  /** Where the app listens, when it was asked to. */
  url: string;
  request(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    options?: RequestOptions,
  ): Promise<Reply>;
  /** Creates a user (by default a consultant) and signs in. */
  signIn(overrides?: Parameters<typeof buildUser>[1]): Promise<Client>;
  close(): Promise<void>;
}

export interface RequestOptions {
  body?: object;
  cookie?: string;
  headers?: Record<string, string>;
}

function parsed(response: LightMyRequestResponse): Reply {
  const isJson = /^application\/json\b/.test(String(response.headers["content-type"]));
  const body = isJson ? response.json() : response.body;
  return { status: response.statusCode, body, headers: response.headers };
}

/**
 * The real app on a database of its own. `listen` opens a port (for providers that call back); `jobs` works the queues and scheduled tasks;
 * `env` overrides variables, for example `TWILIO_BASE_URL` of a sandbox.
 */
export async function buildTestApp(
  options: { env?: Record<string, string>; listen?: boolean; jobs?: boolean; databaseUrl?: string } = {},
): Promise<TestApp> {
  const database = options.databaseUrl ? null : await createTestDatabase();
  const port = options.listen ? await freePort() : 5999;
  const env = readEnv({
    DATABASE_URL: options.databaseUrl ?? database?.url,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: "silent",
    // Nothing answers here: a test that reaches a provider names its sandbox.
    SANDBOX_PORT: "9",
    ...patientSettings,
    ...options.env,
  });
  const deps = await createDeps(env, pino({ level: env.logLevel }));
  await ensureMetrics(deps.database, env.orgTimeZone);
  const app = await buildApp(deps);
  if (options.jobs) await startJobs(deps);
  if (options.listen) await app.listen({ port, host: "127.0.0.1" });
  else await app.ready();

  const request: TestApp["request"] = async (method, url, { body, cookie, headers } = {}) =>
    parsed(
      await app.inject({
        method,
        url,
        headers: { ...(cookie && { cookie }), ...headers },
        ...(body && { payload: body }),
      }),
    );

  return {
    app,
    deps,
    url: env.publicUrl,
    request,
    async signIn(overrides) {
      const user = await buildUser(deps.database, overrides);
      const body = { email: user.email, password: user.password };
      const answer = await request("POST", "/api/login/local", { body });
      if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}`);
      const cookie = String(answer.headers["set-cookie"]).split(";")[0] ?? "";
      return {
        user,
        cookie,
        get: (path) => request("GET", path, { cookie }),
        post: (path, body) => request("POST", path, { cookie, ...(body && { body }) }),
        delete: (path) => request("DELETE", path, { cookie }),
        patch: (path, body) => request("PATCH", path, { cookie, ...(body && { body }) }),
      };
    },
    async close() {
      await app.close();
      await deps.close();
      await database?.drop();
    },
  };
}
