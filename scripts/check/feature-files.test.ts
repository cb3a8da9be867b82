import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../lib/environment.ts";

const features = "apps/server/src/features/";

/**
 * The files that a feature of the server may contain. `routes`: binds contract routes; `webhook-routes`: a provider's. `service`: the
 * feature's use cases that others call, with their transactions. `repository`: SQL of one entity. `policy`: pure rules. `present`: rows to
 * contract objects. `jobs`: queues and scheduled tasks. `machine`: a pure state machine. `types`: types shared by several of these.
 */
const known =
  /^(?:routes|service|repository|policy|present|jobs|machine|types|[a-z-]+-(?:routes|repository))$/;

/** A use case is named by a verb and its object. */
const useCase = new RegExp(
  `^(?:${[
    ...["answer", "apply", "change", "check", "create", "decide", "dial", "fix"],
    ...["gather", "ingest", "install", "leave", "list", "make", "merge", "move", "pace", "parse", "pull"],
    ...["push", "read", "record", "refresh", "report", "save", "schedule", "send", "split"],
    ...["start", "step", "stream", "sync", "throttle", "transfer", "update", "work"],
    ...["wrap", "write"],
  ].join("|")})(?:-[a-z-]+)?$`,
);

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", features], { cwd: root })
  .toString()
  .split("\n")
  .filter((file) => /\.ts$/.test(file) && !file.endsWith(".test.ts") && existsSync(join(root, file)))
  .map((file) => file.slice(features.length, -".ts".length));
const nameOf = (file: string) => file.split("/").at(-1) ?? "";
const fits = (file: string) => known.test(nameOf(file)) || useCase.test(nameOf(file));

it("a server feature contains only files of the vocabulary", () => {
  expect(files.length).toBeGreaterThan(150);
  expect(files.filter((file) => !fits(file))).toEqual([]);
});
