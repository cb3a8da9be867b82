import { describe, expect, it } from "vitest";
import { curlOf, type Endpoint, endpointsOf, fieldsOf, sampleOf, searchEndpoints } from "./read-openapi.ts";

const lead = {
  type: "object",
  properties: {
    id: { anyOf: [{ type: "number" }, { type: "string", pattern: "^\\d+$" }] },
    status: { type: "string", enum: ["new", "contacted"] },
    notes: { type: "string", nullable: true, maxLength: 500 },
    tags: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
    at: { type: "string", format: "date-time" },
  },
  required: ["id", "status", "at"],
};

const document = {
  paths: {
    "/api/leads/{id}": {
      get: {
        summary: "One lead",
        tags: ["leads"],
        security: [{ session: [] }],
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "number" } }],
        responses: { "200": { content: { "application/json": { schema: lead } } } },
      },
    },
    "/api/webhook/lead": {
      post: {
        summary: "Receive a lead from any system",
        tags: ["webhook"],
        security: [{ key: [] }, { session: [] }],
        requestBody: {
          content: { "application/json": { schema: { example: { name: "Inés D'Arco" } } } },
        },
        responses: {},
      },
    },
    "/api/health": { get: { security: [], responses: {} } },
  },
};

const endpoints = endpointsOf(document);
const webhook = endpoints[1] as Endpoint;

describe("the API's description", () => {
  it("is parsed into endpoints with their access rules", () => {
    expect(endpoints.map(({ method, path, access }) => [method, path, access])).toEqual([
      ["GET", "/api/leads/{id}", "session"],
      ["POST", "/api/webhook/lead", "key"],
      ["GET", "/api/health", "public"],
    ]);
  });

  it("lists each field with path, type and limits", () => {
    expect(fieldsOf(lead)).toEqual([
      { name: "id", type: "number", required: true, note: "" },
      { name: "status", type: '"new" | "contacted"', required: true, note: "" },
      { name: "notes", type: "string | null", required: false, note: "≤ 500" },
      { name: "tags", type: "object[]", required: false, note: "" },
      { name: "tags[].name", type: "string", required: false, note: "" },
      { name: "at", type: "date-time", required: true, note: "" },
    ]);
    expect(fieldsOf({ type: "array", items: lead })[0]?.name).toBe("[].id");
  });

  it("yields a sample of the required fields, or the given example", () => {
    expect(sampleOf(lead)).toEqual({ id: 1, status: "new", at: "2026-11-20T15:00:00.000Z" });
    expect(webhook.sample).toEqual({ name: "Inés D'Arco" });
  });

  it("is searched by every word, in any order", () => {
    expect(searchEndpoints(endpoints, "lead post").map(({ path }) => path)).toEqual(["/api/webhook/lead"]);
    expect(searchEndpoints(endpoints, "  ")).toHaveLength(3);
    expect(searchEndpoints(endpoints, "nothing")).toEqual([]);
  });

  it("yields a shell command with escaped quotes, and with the key only where one is required", () => {
    const open = curlOf(webhook, { baseUrl: "https://portal.example.com", secured: false });
    expect(open).toContain("curl -X POST 'https://portal.example.com/api/webhook/lead'");
    expect(open).toContain(`"Inés D'\\''Arco"`);
    expect(open).not.toContain("X-Api-Key");
    expect(curlOf(webhook, { baseUrl: "", secured: true })).toContain("-H 'X-Api-Key: <key>'");
    expect(curlOf(endpoints[0] as Endpoint, { baseUrl: "", secured: true })).toBe(
      "curl '/api/leads/1' \\\n  -b cookies.txt",
    );
  });
});
