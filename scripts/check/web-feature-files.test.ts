import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../lib/environment.ts";

const features = "apps/web/src/features/";

/**
 * The `.ts` files that a feature of the web may contain. `messages`: its texts in both languages. `queries`: query options and mutations;
 * `query`: a single query that another feature uses. `mutations`: those in a file of their own, because the first screen needs only the
 * queries. `search`: search parameters of a page's address. `store`: state shared by several components. `state`: a pure state and its
 * transitions. `draft`: typed data that is not sent yet. `values`: values of the contract for display. `context`: a React context.
 */
const known = /^(?:[a-z-]+-)?(?:messages|queries|query|mutations|search|store|state|draft|values|context)$/;
/** A file of a hook is named for the hook that it exports. */
const hook = /^use-[a-z-]+$/;
/** A pure function is named by a verb and its object. */
const pure = /^(?:decode|export|format|read|register|show|watch|write)-[a-z-]+$/;
/**
 * A `.tsx` file contains the component of its name. These contain several small components of one kind, or open a dialog that is loaded
 * late.
 */
const parts = /^[a-z-]+-(?:actions|bars|cards|cells|columns|fields|rows|sections|skeletons)$|^open-[a-z-]+$/;

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", features], { cwd: root })
  .toString()
  .split("\n")
  .filter(
    (file) => /\.tsx?$/.test(file) && !/\.(?:test\.tsx?|d\.ts)$/.test(file) && existsSync(join(root, file)),
  )
  .map((file) => file.slice(features.length));

const nameOf = (file: string) => (file.split("/").at(-1) ?? "").replace(/\.tsx?$/, "");
const exportsOf = (file: string) =>
  [
    ...readFileSync(join(root, features, file), "utf8").matchAll(
      /^export (?:default )?(?:async )?(?:function|const|class) (\w+)/gm,
    ),
  ].map(([, name]) => name);
/** The name of a component: `LeadCard` for `lead-card`. */
const pascal = (name: string) => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

function fits(file: string): boolean {
  const name = nameOf(file);
  if (file.endsWith(".tsx")) return parts.test(name) || exportsOf(file).includes(pascal(name));
  if (hook.test(name)) return exportsOf(file).some((exported) => exported?.startsWith("use"));
  return known.test(name) || pure.test(name);
}

it("a web feature contains only files of the vocabulary", () => {
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => !fits(file))).toEqual([]);
});

it("a feature nests folders one level deep", () => {
  expect(files.filter((file) => file.split("/").length > 3)).toEqual([]);
});
