// Who may import whom; the picture is in docs/architecture.md. Run by `npm run check`.

const server = "^apps/server/src";
const web = "^apps/web/src";
/** Tests and what only tests use: they may reach further than what they test. */
const tests = "\\.test\\.tsx?$|/src/testing/";
/** The vendor package each adapter folder may use, and nobody else. */
const vendorPackages = {
  twilio: "node_modules/twilio/",
  gohighlevel: "node_modules/@gohighlevel/",
  smtp: "node_modules/nodemailer/",
  openid: "node_modules/openid-client/",
};

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const vendorRules = Object.entries(vendorPackages).map(([vendor, sdk]) => ({
  name: `${vendor}-sdk-in-its-adapter-only`,
  comment: "One adapter per vendor; everything else speaks to its port.",
  severity: "error",
  from: { path: "^(apps|packages)/", pathNot: [`${server}/adapters/${vendor}/`, tests] },
  to: { path: sdk },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Two modules that need each other are one module, or three.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "no-tests-in-product",
      comment: "What runs in production knows nothing of tests.",
      severity: "error",
      from: { path: "^(apps|packages)/", pathNot: tests },
      to: { path: tests },
    },
    {
      name: "contract-needs-zod-only",
      severity: "error",
      from: { path: "^packages/contract/src/", pathNot: tests },
      to: { pathNot: ["^packages/contract/src/", "node_modules/zod/"] },
    },
    {
      name: "sandbox-stands-alone",
      comment: "It must not share the mistakes of those it is to test.",
      severity: "error",
      from: { path: "^packages/sandbox/" },
      to: { path: "^(apps|e2e|bench|scripts|packages)/", pathNot: "^packages/sandbox/" },
    },
    {
      name: "server-knows-no-web-and-no-sandbox",
      severity: "error",
      from: { path: "^apps/server/", pathNot: tests },
      to: { path: "^(apps/web|packages/sandbox|scripts|e2e|bench)/" },
    },
    {
      name: "web-knows-no-server",
      severity: "error",
      from: { path: "^apps/web/" },
      to: { path: "^(apps/server|packages/sandbox|scripts|e2e|bench)/" },
    },
    {
      name: "web-runs-in-browsers",
      severity: "error",
      from: { path: `${web}/`, pathNot: tests },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "ports-need-contract-only",
      severity: "error",
      from: { path: `${server}/ports/`, pathNot: tests },
      to: { pathNot: [`${server}/ports/`, "^packages/contract/src/", "^node:", "^(stream|buffer)$"] },
    },
    {
      name: "adapters-need-ports-and-their-sdk",
      comment: "Their slice of the environment is handed in: its type may be named.",
      severity: "error",
      from: { path: `${server}/adapters/([^/]+)/`, pathNot: tests },
      to: {
        path: `${server}/`,
        pathNot: [`${server}/adapters/$1/`, `${server}/ports/`, `${server}/env\\.ts$`, `${server}/values/`],
      },
    },
    {
      name: "env-is-handed-in",
      comment: "Only the composition root reads the environment.",
      severity: "error",
      from: { path: `${server}/`, pathNot: [tests, `${server}/[^/]+\\.ts$`] },
      to: { path: `${server}/env\\.ts$`, dependencyTypesNot: ["type-only"] },
    },
    ...vendorRules,
    {
      name: "features-need-no-adapters",
      severity: "error",
      from: { path: `${server}/(features|http|db|jobs|events)/`, pathNot: tests },
      to: { path: `${server}/adapters/` },
    },
    {
      name: "data-of-a-feature-is-its-own",
      comment: "Another feature asks the service.",
      severity: "error",
      from: { path: `${server}/features/([^/]+)/(routes|service)`, pathNot: tests },
      to: { path: `${server}/features/[^/]+/data`, pathNot: `${server}/features/$1/` },
    },
    {
      name: "services-know-no-http",
      severity: "error",
      from: { path: `${server}/features/[^/]+/service`, pathNot: tests },
      to: { path: ["node_modules/@?fastify", `${server}/features/[^/]+/routes`] },
    },
    {
      name: "data-knows-the-database-only",
      severity: "error",
      from: { path: `${server}/features/[^/]+/data`, pathNot: tests },
      to: {
        path: [
          `${server}/(http|ports|jobs|events)/`,
          `${server}/features/[^/]+/(routes|service)`,
          "node_modules/@?fastify",
        ],
      },
    },
    {
      name: "database-knows-no-feature",
      severity: "error",
      from: { path: `${server}/db/`, pathNot: tests },
      to: { path: `${server}/(features|http|ports|jobs)/` },
    },
    {
      name: "composition-root-is-the-top",
      comment: "deps, app and main put everything together; only main and tests use them.",
      severity: "error",
      from: { path: "^(apps|packages)/", pathNot: [tests, `${server}/[^/]+\\.ts$`] },
      to: { path: `${server}/(main[^/]*|app|deps)\\.ts$` },
    },
    {
      name: "main-is-nobodys-module",
      severity: "error",
      from: { path: "." },
      to: { path: "^(apps/server|packages/sandbox)/src/main\\.ts$" },
    },
    {
      name: "ui-could-ship-elsewhere",
      severity: "error",
      from: { path: `${web}/(ui|lib)/`, pathNot: tests },
      to: { path: `${web}/(features|app)/` },
    },
    {
      name: "lib-knows-no-ui",
      severity: "error",
      from: { path: `${web}/lib/`, pathNot: tests },
      to: { path: `${web}/ui/` },
    },
    {
      name: "web-features-know-no-app",
      severity: "error",
      from: { path: `${web}/features/`, pathNot: tests },
      to: { path: `${web}/app/` },
    },
    {
      name: "web-features-share-dialogs-and-queries",
      severity: "error",
      from: { path: `${web}/features/([^/]+)/`, pathNot: tests },
      to: {
        path: `${web}/features/`,
        pathNot: [
          `${web}/features/$1/`,
          "/queries\\.ts$",
          "dialog[^/]*\\.tsx$",
          `${web}/features/(player|sms|crm-sync|data-import|lead-webhooks|dialer|account|notices)/`,
          `${web}/features/[^/]*dialog/`,
        ],
      },
    },
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    exclude: { path: "/(dist|migrations)/" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js", ".css", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
};
