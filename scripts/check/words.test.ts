import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
/** Words that have a better alternative in docs/glossary.md, "What the code calls things". */
const refused = new Set([
  ...["gate", "rounds", "ticker", "news", "tell", "tells", "told", "hear", "hears", "heard", "nudge", "door"],
  ...[
    "desk",
    "notices",
    "letter",
    "letters",
    "gone",
    "verdict",
    "circumstances",
    "look",
    "looks",
    "turn",
    "turns",
  ],
  ...[
    "chosen",
    "remembered",
    "gentle",
    "forgery",
    "seal",
    "sealed",
    "seals",
    "walk",
    "walks",
    "glance",
    "proof",
    "proofs",
    "touch",
  ],
  ...[
    "touched",
    "touches",
    "intake",
    "take",
    "figure",
    "figures",
    "mend",
    "keep",
    "keeps",
    "kept",
    "act",
    "texts",
  ],
  ...["notice", "place", "places", "shares", "words", "said", "against", "remembers", "sums"],
]);
/** Names that are known outside of the code, with the reason. This list only shrinks. */
const allowed: Record<string, string> = {
  desk: "the bench's command is `bench -- desk`: a lead desk is what the product is",
  rounds: "of a bench",
  "words.test": "this file",
  unreadTexts: "a field of the lead's JSON",
  ...Object.fromEntries(
    ["recordingNotice", "answerNotice", "notice"].map((name) => [name, "a term of telephony law"]),
  ),
};

const files = execFileSync(
  "git",
  ["ls-files", "-co", "--exclude-standard", "apps", "packages", "e2e", "bench", "scripts"],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && !file.includes("/migrations/"));

/** A duration has one name: `duration_seconds`. */
const durations = /^(?:talk|dial|lead_leg)_seconds$/;

/** The refused words in a name in any notation. */
const refusedIn = (name: string): string[] => {
  if (durations.test(name)) return [name];
  return name in allowed || name.startsWith("desk-") || name.endsWith("-desk") || /Desk[A-Z]|^Desk/.test(name)
    ? []
    : (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).filter((word) => refused.has(word.toLowerCase()));
};

const namesOf = (file: string): string[] => {
  const text = readFileSync(join(root, file), "utf8");
  const find = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name ?? "");
  return [
    basename(file).replace(/\.\w+$/, ""),
    ...find(/^export (?:default )?(?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm),
    ...find(/[qQ]ueue = "([\w-]+)"/g),
    ...(file.includes("/db/schema/") ? find(/\w+\(\s*"([a-z_0-9]+)"/g) : []),
    ...(file.endsWith("contract/src/entities/event.ts") ? find(/"([a-z-]+)"/g) : []),
  ];
};

it("files, exports, tables, columns, events and queues use the words of the glossary", () => {
  const found = files.flatMap((file) =>
    namesOf(file).flatMap((name) => refusedIn(name).map((word) => `${file}: ${name} (${word})`)),
  );
  expect(found).toEqual([]);
});
