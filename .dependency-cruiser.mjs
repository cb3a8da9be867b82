// Rules of imports; docs/architecture.md has a diagram. Run by `npm run check`.

const server = "^apps/server/src";
const web = "^apps/web/src";
/** Tests and their helpers, which may import more than the code they test. */
const tests = "\\.test\\.tsx?$|/src/testing/";
/** Files of a feature with its SQL. */
const repositories = `${server}/features/[^.]+repository\\.ts$`;
/** The vendor package of each adapter folder, which no other code may use. */
const vendorPackages = {
  twilio: "node_modules/twilio/",
  gohighlevel: "node_modules/@gohighlevel/",
  smtp: "node_modules/nodemailer/",
  openid: "node_modules/openid-client/",
  "web-push": "node_modules/web-push/",
  opentelemetry: "node_modules/@opentelemetry/",
};

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const vendorRules = Object.entries(vendorPackages).map(([vendor, sdk]) => ({
  name: `${vendor}-sdk-in-its-adapter-only`,
  comment: "One adapter per vendor; everything else speaks to its port.",
  severity: "error",
  from: { path: "^(apps|packages)/", pathNot: [`${server}/adapters/${vendor}/`, tests] },
  to: { path: sdk },
}));

/**
 * The features of either side in order: each may import those before it, and never one after it, so that there are no cycles. A feature
 * that is not listed here may not be imported at all.
 */
const features = {
  server: [
    ...[
      "activity",
      "saved-views",
      "availability",
      "notifications",
      "contact-policy",
      "crm-outbox",
      "leads",
      "identity",
      "meetings",
      "assignment",
      "retry-rules",
      "today",
    ],
    ...[
      "telephony",
      "metrics",
      "crm-connection",
      "crm",
      "dialer",
      "lead-webhooks",
      "imports",
      "sms",
      "inbox",
      "bulk-changes",
      "new-lead",
      "lead-merge",
      "search",
      "clients",
    ],
    ...["encryption-keys", "diagnostics", "backups", "monitoring", "go-live", "team", "admin", "doctor"],
  ],
  web: [
    ...[
      "saved-views",
      "availability",
      "new-lead",
      "telephony",
      "offline",
      "sms",
      "activity",
      "crm",
      "dialer",
      "notifications",
      "meetings",
      "lead-merge",
      "leads",
    ],
    ...[
      "all-leads",
      "call-history",
      "inbox",
      "today",
      "clients",
      "identity",
      "imports",
      "lead-webhooks",
      "diagnostics",
    ],
    "go-live",
    ...["integrations", "metrics", "team", "admin"],
  ],
};

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const featureRules = Object.entries(features).flatMap(([side, names]) => {
  const folder = `^apps/${side}/src/features`;
  /** @type {(name: string, allowed: string[]) => import("dependency-cruiser").IForbiddenRuleType} */
  const rule = (name, allowed) => ({
    name: `${side}-feature-${name}`,
    comment: "Features build on each other in one direction: see the order in .dependency-cruiser.mjs.",
    severity: "error",
    from: { path: `${folder}/${name}/`, pathNot: tests },
    to: { path: `${folder}/`, pathNot: `${folder}/(${[name, ...allowed].join("|")})/` },
  });
  return [
    ...names.map((name, index) => rule(name, names.slice(0, index))),
    {
      name: `${side}-features-have-a-place`,
      comment: "Give the feature its place in the order.",
      severity: "error",
      from: {},
      to: { path: `${folder}/`, pathNot: `${folder}/(${names.join("|")})/` },
    },
  ];
});

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
      name: "server-knows-no-web-no-sandbox-and-no-demo",
      severity: "error",
      from: { path: "^apps/server/", pathNot: tests },
      to: { path: "^(apps/web|packages/(sandbox|demo)|scripts|e2e|bench)/" },
    },
    {
      name: "demo-writes-rows",
      comment:
        "It makes up facts, and writes them through the server's database and into the sandbox over HTTP.",
      severity: "error",
      from: { path: "^packages/demo/", pathNot: tests },
      to: {
        path: "^(apps|packages|scripts|e2e|bench)/",
        pathNot: [
          "^packages/(demo|contract)/",
          `${server}/(platform/db|domain)/`,
          `${server}/env\\.ts$`,
          `${server}/features/crm/write-messages\\.ts$`,
        ],
      },
    },
    {
      name: "demo-is-for-the-start-only",
      severity: "error",
      from: { path: "^(apps|packages)/", pathNot: [tests, "^packages/demo/"] },
      to: { path: "^packages/demo/" },
    },
    {
      name: "web-knows-no-server",
      severity: "error",
      from: { path: "^apps/web/" },
      to: { path: "^(apps/server|packages/(sandbox|demo)|scripts|e2e|bench)/" },
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
      comment:
        "Their slice of the environment is handed in: its type may be named. All share one way of failing, and one of keeping outside.",
      severity: "error",
      from: { path: `${server}/adapters/([^/]+)/`, pathNot: tests },
      to: {
        path: `${server}/`,
        pathNot: [
          `${server}/adapters/($1/|(resilience|outside)\\.ts$)`,
          `${server}/ports/`,
          `${server}/env\\.ts$`,
          `${server}/domain/`,
        ],
      },
    },
    {
      name: "env-is-handed-in",
      comment: "Only the composition root reads the environment.",
      severity: "error",
      from: { path: `${server}/`, pathNot: [tests, `${server}/[^/]+\\.ts$`] },
      to: { path: `${server}/env(-schema)?\\.ts$`, dependencyTypesNot: ["type-only"] },
    },
    ...vendorRules,
    {
      name: "features-need-no-adapters",
      severity: "error",
      from: { path: `${server}/(features|platform)/`, pathNot: tests },
      to: { path: `${server}/adapters/` },
    },
    {
      name: "routes-ask-their-own-feature",
      comment: "A route calls use cases, and its own repository where there is no rule to keep.",
      severity: "error",
      from: { path: `${server}/features/([^/]+)/[^.]*routes\\.ts$`, pathNot: tests },
      to: { path: `${server}/features/[^.]+/[^/]*repository\\.ts$`, pathNot: `${server}/features/$1/` },
    },
    {
      name: "services-know-no-http",
      severity: "error",
      from: { path: `${server}/features/[^.]+/service\\.ts$`, pathNot: tests },
      to: { path: ["node_modules/@?fastify", `${server}/features/[^.]+/routes\\.ts$`] },
    },
    {
      name: "repositories-know-the-database-only",
      comment: "Types of a service may be named.",
      severity: "error",
      from: { path: repositories, pathNot: tests },
      to: {
        path: [
          `${server}/(platform/(http|jobs|realtime)|ports)/`,
          `${server}/features/[^.]+/(routes|service)\\.ts$`,
          "node_modules/@?fastify",
        ],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "database-knows-no-feature",
      severity: "error",
      from: { path: `${server}/platform/db/`, pathNot: tests },
      to: { path: `${server}/(features|ports|platform/(http|jobs))/` },
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
      to: { path: "^(apps/server|packages/(sandbox|demo))/src/main\\.ts$" },
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
    ...featureRules,
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
