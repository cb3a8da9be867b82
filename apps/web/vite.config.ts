import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { compression } from "vite-plugin-compression2";

const api = `http://127.0.0.1:${process.env.PORT ?? 5000}`;

/**
 * The browser needs the contract's data (methods, paths, lists of values), not its schemas: the server validates. Contract modules
 * that use zod are replaced by their plain data when building, which keeps zod (28 kB) out of the first paint.
 */
function contractDataOnly(): Plugin {
  return {
    name: "contract-data-only",
    apply: "build",
    enforce: "pre",
    async load(id) {
      if (!/packages\/contract\/src\/.+\.ts$/.test(id) || !(await readFile(id, "utf8")).includes('"zod"')) {
        return null;
      }
      const module: Record<string, unknown> = await import(pathToFileURL(id).href);
      return Object.entries(module)
        .map(([name, value]) => [name, isRoute(value) ? routeData(value) : value] as const)
        .filter(([, value]) => isData(value))
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join("\n");
    },
  };
}

function isRoute(value: unknown): value is Record<"method" | "path" | "access", string> {
  return typeof value === "object" && value !== null && "method" in value && "path" in value;
}

function routeData({ method, path, access }: Record<"method" | "path" | "access", string>) {
  return { method, path, access };
}

function isData(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isData);
  if (typeof value === "object" && value !== null) {
    return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isData);
  }
  return typeof value !== "function" && typeof value !== "undefined";
}

/**
 * What every page needs anyway, and small things that many pages share, come as few files: left alone, the leads page began with 78, each
 * compressed by itself and asked for by itself.
 */
const togetherInOneFile = [
  {
    name: "base",
    test: /node_modules[\\/](react|react-dom|scheduler|i18next|tailwind-merge|clsx|class-variance-authority|@tanstack[\\/](query-core|react-query))[\\/]/,
    priority: 2,
  },
  {
    name: "router",
    test: /@tanstack[\\/](react-router|router-core|history|store|react-store)[\\/]/,
    priority: 1,
  },
  { name: "icons", test: /lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/, minShareCount: 4 },
  { name: "contract", test: /packages[\\/]contract[\\/]src[\\/]/, minShareCount: 4 },
];

export default defineConfig({
  plugins: [
    contractDataOnly(),
    react(),
    tailwindcss(),
    // index.html is filled in by the server for each deployment, so only the hashed files are compressed ahead.
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
    rolldownOptions: { output: { codeSplitting: { groups: togetherInOneFile } } },
  },
});
