import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { expect, it } from "vitest";
import config from "../../.dependency-cruiser.mjs";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";

/** The rules that are violated when `from` imports `to`, which has this `content`. */
const findBroken = async (from: string, to: string, content = "export {};"): Promise<string[]> => {
  const root = makeTemporaryFolder();
  const specifier = to.startsWith("node:") || !to.includes("/src/") ? to : join(root, to);
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  if (to.startsWith("node_modules/")) {
    const name = to.slice("node_modules/".length);
    write(`${to}/package.json`, JSON.stringify({ name, main: "index.js" }));
    write(`${to}/index.js`, "");
  } else if (to.includes("/src/")) {
    write(to, content);
  }
  write(from, `import ${JSON.stringify(specifier.replace("node_modules/", ""))};`);
  const { options, forbidden } = config;
  const { output } = await cruise([from], {
    ...options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden },
  });
  return (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
};

const server = "apps/server/src";
const web = "apps/web/src";

it.each([
  ["contract-needs-zod-only", "packages/contract/src/a.ts", "node_modules/fastify"],
  ["contract-needs-zod-only", "packages/contract/src/a.ts", `${server}/b.ts`],
  ["sandbox-stands-alone", "packages/sandbox/src/a.ts", "packages/contract/src/b.ts"],
  [
    "server-knows-no-web-no-sandbox-and-no-demo",
    `${server}/features/leads/service.ts`,
    "packages/sandbox/src/b.ts",
  ],
  ["demo-writes-rows", "packages/demo/src/fill.ts", "packages/sandbox/src/b.ts"],
  ["demo-is-for-the-start-only", "packages/sandbox/src/a.ts", "packages/demo/src/fill.ts"],
  ["web-knows-no-server", `${web}/features/leads/leads-page.tsx`, `${server}/env.ts`],
  ["web-runs-in-browsers", `${web}/lib/api.ts`, "node:fs"],
  ["no-tests-in-product", `${server}/features/leads/service.ts`, `${server}/testing/build-test-app.ts`],
  ["ports-need-contract-only", `${server}/ports/telephony.ts`, `${server}/platform/db/client.ts`],
  [
    "adapters-need-ports-and-their-sdk",
    `${server}/adapters/twilio/client.ts`,
    `${server}/features/telephony/outbound/repository.ts`,
  ],
  [
    "adapters-need-ports-and-their-sdk",
    `${server}/adapters/twilio/client.ts`,
    `${server}/adapters/other/client.ts`,
  ],
  ["env-is-handed-in", `${server}/features/telephony/outbound/service.ts`, `${server}/env.ts`],
  [
    "twilio-sdk-in-its-adapter-only",
    `${server}/features/telephony/outbound/service.ts`,
    "node_modules/twilio",
  ],
  [
    "features-need-no-adapters",
    `${server}/features/telephony/outbound/routes.ts`,
    `${server}/adapters/twilio/client.ts`,
  ],
  [
    "routes-ask-their-own-feature",
    `${server}/features/telephony/outbound/routes.ts`,
    `${server}/features/leads/lead-repository.ts`,
  ],
  ["services-know-no-http", `${server}/features/telephony/outbound/service.ts`, "node_modules/fastify"],
  [
    "repositories-know-the-database-only",
    `${server}/features/telephony/outbound/repository.ts`,
    `${server}/features/telephony/outbound/service.ts`,
  ],
  [
    "repositories-know-the-database-only",
    `${server}/features/telephony/outbound/repository.ts`,
    `${server}/ports/telephony.ts`,
  ],
  [
    "database-knows-no-feature",
    `${server}/platform/db/client.ts`,
    `${server}/features/telephony/outbound/repository.ts`,
  ],
  ["composition-root-is-the-top", `${server}/features/telephony/outbound/service.ts`, `${server}/deps.ts`],
  ["main-is-nobodys-module", `${server}/app.ts`, `${server}/main.ts`],
  ["ui-could-ship-elsewhere", `${web}/ui/button.tsx`, `${web}/features/leads/queries.ts`],
  ["lib-knows-no-ui", `${web}/lib/api.ts`, `${web}/ui/button.tsx`],
  ["web-features-know-no-app", `${web}/features/leads/leads-page.tsx`, `${web}/app/router.tsx`],
  [
    "web-feature-telephony",
    `${web}/features/telephony/call/call-provider.tsx`,
    `${web}/features/leads/queries.ts`,
  ],
  ["web-features-have-a-place", `${web}/app/router.tsx`, `${web}/features/unheard-of/queries.ts`],
  [
    "server-feature-leads",
    `${server}/features/leads/consent.ts`,
    `${server}/features/telephony/outbound/pace.ts`,
  ],
  ["no-unresolvable", `${server}/app.ts`, "./gone.ts"],
])("%s: %s may not import %s", async (rule, from, to) => {
  expect(await findBroken(from, to)).toContain(rule);
});

it("no-cycles: two modules may not import each other, not even types", async () => {
  expect(await findBroken(`${web}/lib/a.ts`, `${web}/lib/b.ts`, 'import type {} from "./a.ts";')).toContain(
    "no-cycles",
  );
});

it.each([
  ["packages/contract/src/a.ts", "node_modules/zod"],
  [`${server}/adapters/twilio/client.ts`, "node_modules/twilio"],
  [`${server}/adapters/twilio/client.ts`, `${server}/ports/telephony.ts`],
  [`${server}/features/telephony/outbound/service.ts`, `${server}/features/leads/service.ts`],
  [`${server}/features/telephony/outbound/repository.ts`, `${server}/platform/db/client.ts`],
  [`${server}/main.ts`, `${server}/app.ts`],
  [`${server}/features/telephony/outbound/calls.test.ts`, `${server}/testing/build-test-app.ts`],
  [`${web}/ui/button.tsx`, `${web}/lib/class-names.ts`],
  [`${web}/features/leads/leads-page.tsx`, `${web}/features/telephony/call/call-provider.tsx`],
  [`${web}/features/team/team-page.tsx`, `${web}/features/identity/account/account-dialog.tsx`],
])("%s may import %s", async (from, to) => {
  expect(await findBroken(from, to)).toEqual([]);
});
