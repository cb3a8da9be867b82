import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../lib/environment.ts";

const features = "apps/web/src/features/";

/**
 * The `.ts` files that a feature of the web may hold. `messages`: its texts in both languages. `queries`: query options and mutations, and one
 * query alone where another feature asks it. `mutations`: those that stand apart, as the first screen needs the queries only. `search`: what
 * stands in a page's address. `store`: what several components share. `state`: a pure state and its changes. `draft`: what is typed and not sent. `values`: values of the contract as they are shown. `context`: a React context.
 */
const known = /^(?:[a-z-]+-)?(?:messages|queries|query|mutations|search|store|state|draft|values|context)$/;
/** A hook is named for the one that it exports. */
const hook = /^use-[a-z-]+$/;
/** A pure function is named for what it does: a verb, and what it is done to. */
const verbs = ["decode", "export", "filter", "format", "label", "open", "read", "register", "show"];
const pure = new RegExp(`^(?:${[...verbs, "subscribe", "watch", "write"].join("|")})-[a-z-]+$`);
/** A `.tsx` file holds the component of its name. These hold several small parts of one kind, or open a dialog that is loaded late. */
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
/** `lead-card` as the name of a component: `LeadCard`. */
const pascal = (name: string) => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

function fits(file: string): boolean {
  const name = nameOf(file);
  if (file.endsWith(".tsx")) return parts.test(name) || exportsOf(file).includes(pascal(name));
  if (hook.test(name)) return exportsOf(file).some((exported) => exported?.startsWith("use"));
  return known.test(name) || pure.test(name);
}

it("a feature of the web holds files of the vocabulary", () => {
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => !fits(file))).toEqual([]);
});

it("a feature has folders one deep", () => {
  expect(files.filter((file) => file.split("/").length > 3)).toEqual([]);
});
