import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../lib/environment.ts";

/** References to documents that are not in this repository: a comment must contain what it refers to. */
const citation = /\b(specification|design|facts) §|\((?:R|F|G)-\d+|\bstyle\.md\b/i;

it("no comment cites a document outside the repository", () => {
  const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.mjs", "*.css", "*.md"], { cwd: root })
    .toString()
    .split("\n")
    .filter((file) => file !== "" && !file.endsWith("citations.test.ts"));
  const citing = files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (citation.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(citing).toEqual([]);
});

/** An invented page, with which docs/add-a-feature.md explains how one is added. */
const example = /\/promises(?:\/|\.ts)/;

it("every link and every file named in a Markdown page exists", () => {
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root })
    .toString()
    .split("\n");
  const pages = files.filter((file) => file.endsWith(".md"));
  const isThere = (path: string) =>
    files.some(
      (file) => `/${file}`.endsWith(`/${path}`) || `/${file}`.includes(`/${path.replace(/\/$/, "")}/`),
    );
  const missing = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), "utf8");
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !existsSync(join(root, dirname(page), link)));
    const named = [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !isThere(name) && !example.test(name));
    return [...links, ...named].map((name) => `${page}: ${name}`);
  });
  expect(pages.length).toBeGreaterThan(40);
  expect(missing).toEqual([]);
});
