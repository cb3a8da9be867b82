import { globSync } from "node:fs";
import path from "node:path";
import type { Route } from "@portal/contract/route";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { policyTable } from "../../platform/http/policy-table.ts";
import { buildTestApp, type TestApp } from "../../testing/test-app.ts";

const routesFolder = path.resolve(import.meta.dirname, "../../../../../packages/contract/src/routes");

function isRoute(value: unknown): value is Route {
  return typeof value === "object" && value !== null && "method" in value && "summary" in value;
}

const accessTo = ({ method, path: url }: Route) => policyTable[`${method} ${url}`]?.access;

/** Every route that the contract declares. */
async function contractRoutes(): Promise<Route[]> {
  const files = globSync("*.ts", { cwd: routesFolder });
  const modules = await Promise.all(files.map((file) => import(path.join(routesFolder, file))));
  return modules.flatMap((module) => Object.values(module).filter(isRoute));
}

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
});
afterAll(() => app.close());

describe("the API description", () => {
  it("requires a session", async () => {
    expect((await app.request("GET", "/api/docs/json")).status).toBe(401);
    expect((await app.request("GET", "/api/docs")).status).toBe(401);
  });

  it("contains every route of the contract as it is registered", async () => {
    const { body } = await (await app.signIn()).get("/api/docs/json");
    const routes = await contractRoutes();
    expect(routes.length).toBeGreaterThan(40);
    const wrong = routes.filter((route) => {
      const operation = body.paths[route.path.replace(/:(\w+)/g, "{$1}")]?.[route.method.toLowerCase()];
      return (
        !operation ||
        operation.summary !== route.summary ||
        !operation.responses["200"].content ||
        Boolean(operation.requestBody) !== Boolean(route.body) ||
        (operation.security.length === 0) !== (accessTo(route) === "public")
      );
    });
    expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    expect(Object.keys(body.paths).filter((path) => !path.startsWith("/api/"))).toEqual([]);
  });

  it("has an example for every request that imports leads", async () => {
    const { body } = await (await app.signIn()).get("/api/docs/json");
    const intake = (await contractRoutes()).filter((route) => accessTo(route) === "intake");
    expect(intake.length).toBeGreaterThanOrEqual(6);
    for (const { method, path } of intake) {
      const { requestBody, security } = body.paths[path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()];
      if (method === "POST")
        expect(requestBody.content["application/json"].schema.example, path).toBeTruthy();
      expect(security).toEqual([{ key: [] }, { session: [] }]);
    }
  });

  it("is shown as a page in a browser and returned as a document to programs", async () => {
    const { cookie, get } = await app.signIn();
    const page = await app.request("GET", "/api/docs", { cookie, headers: { accept: "text/html,*/*" } });
    expect([page.status, page.headers.location]).toEqual([302, "/integrations?tab=api"]);
    const { body } = await get("/api/docs");
    expect(body).toMatchObject({ openapi: expect.stringMatching(/^3\./), paths: { "/api/leads/{id}": {} } });
  });
});
