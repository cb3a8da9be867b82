import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import { compression } from "vite-plugin-compression2";

const api = `http://127.0.0.1:${process.env.PORT ?? 5000}`;

/**
 * The browser needs the contract's data (methods, paths, lists of values) but not its schemas, because the server validates. Contract
 * modules that use zod, and the routes, are replaced by their plain data during the build, which keeps zod (28 kB) out of the first paint.
 */
function contractDataOnly(): Plugin {
  return {
    name: "contract-data-only",
    apply: "build",
    enforce: "pre",
    async load(id) {
      if (!/packages\/contract\/src\/.+\.ts$/.test(id)) return null;
      const isRoutes = /packages\/contract\/src\/routes\//.test(id);
      if (!isRoutes && !(await readFile(id, "utf8")).includes('"zod"')) return null;
      const module: Record<string, unknown> = await import(pathToFileURL(id).href);
      return Object.entries(module)
        .map(([name, value]) => [name, isRoute(value) ? routeData(value) : value] as const)
        .filter(([, value]) => isData(value))
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join("\n");
    },
  };
}

function isRoute(value: unknown): value is Record<"method" | "path", string> {
  return typeof value === "object" && value !== null && "method" in value && "path" in value;
}

function routeData({ method, path }: Record<"method" | "path", string>) {
  return { method, path };
}

function isData(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isData);
  if (typeof value === "object" && value !== null) {
    return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isData);
  }
  return typeof value !== "function" && typeof value !== "undefined";
}

const source = (file: string) => path.resolve(import.meta.dirname, "src", file);
/** Entry modules of every page, of a visitor's first page, and of a signed-in user's. */
const firstPages = {
  entry: ["main.tsx"].map(source),
  signIn: ["features/identity/auth/login-page.tsx"].map(source),
  desk: ["app/portal.tsx", "features/leads/leads-page.tsx"].map(source),
};
const iconLibrary = "lucide-react/dist/esm/lucide-react.mjs";
const iconImports = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g;
const iconExports = /export \{([^}]*)\} from ['"](\.\/icons\/[^'"]+)['"]/g;

/** Modules of the first pages, and of the entry that every page starts with. */
const modulesOf = { entry: new Set<string>(), signIn: new Set<string>(), desk: new Set<string>() };

/** The files that contain these modules, with the files that they import. */
function filesOf(modules: string[], bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const names = new Set(
    chunks
      .filter(({ moduleIds }) => modules.some((id) => moduleIds.includes(id)))
      .map(({ fileName }) => fileName),
  );
  for (const name of names)
    for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) names.add(next);
  return [...names].map((name) => `/${name}`);
}

/**
 * Finds the files of the first pages and lists them for the server in `first-files.json`. The page that the server sends preloads the files
 * of its screen, so that they are loaded at once and not one after the other as each is parsed.
 */
function firstFiles(): Plugin {
  return {
    name: "first-files",
    apply: "build",
    buildEnd() {
      const importsOf = (id: string) => {
        const { code, importedIds } = this.getModuleInfo(id) ?? { code: "", importedIds: [] };
        const icons = importedIds.find((next) => next.endsWith(iconLibrary));
        if (icons === undefined) return importedIds;
        // The library's entry imports all of its icons: only those that the module names belong to the first pages.
        const files = new Map(
          [...(this.getModuleInfo(icons)?.code ?? "").matchAll(iconExports)].flatMap(
            ([, names = "", file = ""]) =>
              [...names.matchAll(/as (\w+)/g)].map(([, name]) => [
                name,
                path.join(path.dirname(icons), file),
              ]),
          ),
        );
        const named = [...(code ?? "").matchAll(iconImports)].flatMap(
          ([, names = ""]) => names.match(/\w+/g) ?? [],
        );
        return [
          ...importedIds.filter((next) => next !== icons),
          ...named.flatMap((name) => files.get(name) ?? []),
        ];
      };
      const importedBy = (pages: string[]) => {
        const found = new Set(pages);
        for (const id of found) for (const next of importsOf(id)) found.add(next);
        return found;
      };
      modulesOf.entry = importedBy(firstPages.entry);
      modulesOf.signIn = importedBy(firstPages.signIn);
      modulesOf.desk = importedBy(firstPages.desk);
    },
    generateBundle(_options, bundle) {
      const signIn = filesOf([...firstPages.entry, ...firstPages.signIn], bundle);
      const desk = filesOf([...firstPages.entry, ...firstPages.desk], bundle);
      this.emitFile({
        type: "asset",
        fileName: "first-files.json",
        source: JSON.stringify({ signIn, desk }),
      });
    },
  };
}

/**
 * Gives the script that runs before the first paint a hashed name: it may then be cached for ever, and a page whose code is cached need not
 * wait for the server to confirm it.
 */
function hashedTheme(): Plugin {
  const name = "theme.js";
  return {
    name: "hashed-theme",
    apply: "build",
    async buildStart() {
      const source = await readFile(path.resolve(import.meta.dirname, "public", name));
      this.emitFile({ type: "asset", name, source });
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const hashed = Object.values(bundle).find(
          (file) => file.type === "asset" && file.names.includes(name),
        );
        if (!hashed) throw new Error(`the build emitted no ${name}`);
        return html.replace(`src="/${name}"`, `src="/${hashed.fileName}"`);
      },
    },
  };
}

/**
 * Groups the modules of the first pages into a few files, and also small modules that many others share: otherwise the leads page would
 * start with 78 files, each compressed and requested separately.
 */
const togetherInOneFile = [
  {
    name: "react",
    test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
    priority: 5,
  },
  {
    name: "base",
    test: /node_modules[\\/](i18next|tailwind-merge|clsx|class-variance-authority|@tanstack[\\/](query-core|react-query))[\\/]/,
    priority: 4,
  },
  {
    name: "router",
    test: /@tanstack[\\/](react-router|router-core|history|store|react-store)[\\/]/,
    priority: 3,
  },
  {
    name: "first",
    test: (id: string) => modulesOf.entry.has(id) || (modulesOf.signIn.has(id) && modulesOf.desk.has(id)),
    priority: 2,
  },
  { name: "sign-in", test: (id: string) => modulesOf.signIn.has(id), priority: 1 },
  { name: "desk", test: (id: string) => modulesOf.desk.has(id), priority: 1 },
  { name: "icons", test: /lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/, minShareCount: 2 },
  { name: "contract", test: /packages[\\/]contract[\\/]src[\\/]/, minShareCount: 4 },
];

/** The files that every signed-in page starts with, almost all of whose functions are called at once. */
const startFiles = ["react", "base", "router", "first", "desk"];
/** For V8, which then compiles a file's functions in the background while it loads, not each when the page first calls it. */
const compileAtLoad = "//# allFunctionsCalledOnLoad";

export default defineConfig({
  plugins: [
    contractDataOnly(),
    react(),
    tailwindcss(),
    firstFiles(),
    hashedTheme(),
    // The server completes index.html for each deployment, so only the hashed files are compressed in advance.
    compression({
      include: /assets\/.*\.(js|css|svg)$/,
      algorithms: ["gzip", "brotliCompress"],
      threshold: 1024,
    }),
  ],
  server: { proxy: { "/api": { target: api, changeOrigin: false } } },
  build: {
    target: "es2023",
    outDir: "dist",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: togetherInOneFile },
        postBanner: ({ name }) => (startFiles.includes(name) ? compileAtLoad : ""),
      },
    },
  },
});
