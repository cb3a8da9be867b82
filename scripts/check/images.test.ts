import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { root } from "../lib/environment.ts";

const files = ["Dockerfile", "compose.yaml"];

/** The images of which a container is built, or from which it is started. */
const imagesOf = (folder: string): string[] =>
  files.flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/^(?:FROM| +image:) (\S+)/gm)].map(
      ([, image = ""]) => image,
    ),
  );

const shape = /^([a-z0-9./-]+:[A-Za-z0-9._-]+)(?:@(sha256:[0-9a-f]{64}))?$/;

/** Images without a tag, with half a digest, or pinned to two digests at once: one sentence for each. */
function faultsOf(images: string[]): string[] {
  const digests = new Map<string, string | undefined>();
  return images.flatMap((image) => {
    const [, name, digest] = shape.exec(image) ?? [];
    if (!name) return [`${image} has no tag, or no whole digest`];
    if (/:latest$/.test(name)) return [`${image} is whatever was built last`];
    if (digests.has(name) && digests.get(name) !== digest) return [`${name} is pinned to two digests`];
    digests.set(name, digest);
    return [];
  });
}

it("every image has a tag, with or without a pinned digest", () => {
  const images = imagesOf(join(root, "deploy"));
  expect(images.length).toBeGreaterThan(3);
  expect(faultsOf(images)).toEqual([]);
  const digest = `sha256:${"a".repeat(64)}`;
  expect(faultsOf(["node", "node:latest", "node:24@sha256:abc"])).toHaveLength(3);
  expect(faultsOf([`node:24@${digest}`, `node:24@${digest}`])).toEqual([]);
  expect(faultsOf([`node:24@${digest}`, "node:24"])).toHaveLength(1);
});

it("deploy/pin-images.sh pins each image in place, updates a digest, and writes nothing without one", () => {
  const folder = mkdtempSync(join(tmpdir(), "portal images-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [bin, deploy] = [join(folder, "bin"), join(folder, "deploy")];
  mkdirSync(bin);
  mkdirSync(deploy);
  for (const file of [...files, "pin-images.sh"])
    copyFileSync(join(root, "deploy", file), join(deploy, file));
  const names = imagesOf(deploy).map((image) => image.split("@")[0]);
  /** Simulates the docker command, as far as the script uses it. */
  const answer = (digest: string) => {
    writeFileSync(
      join(bin, "docker"),
      `#!/bin/sh\n[ "$1 $2 $3 $5" = "buildx imagetools inspect --format" ] && echo "${digest}"\n`,
    );
    chmodSync(join(bin, "docker"), 0o755);
  };
  const pin = () =>
    execFileSync(join(deploy, "pin-images.sh"), {
      env: { PATH: `${bin}:${process.env.PATH}` },
      stdio: ["ignore", "pipe", "pipe"],
    });
  const before = files.map((file) => readFileSync(join(deploy, file), "utf8"));
  answer("not found");
  expect(pin).toThrow(/No digest/);
  expect(files.map((file) => readFileSync(join(deploy, file), "utf8"))).toEqual(before);
  for (const letter of ["a", "b"]) {
    const digest = `sha256:${letter.repeat(64)}`;
    answer(digest);
    pin();
    expect(imagesOf(deploy)).toEqual(names.map((name) => `${name}@${digest}`));
    expect(faultsOf(imagesOf(deploy))).toEqual([]);
  }
  const unpinned = files.map((file) =>
    readFileSync(join(deploy, file), "utf8").replaceAll(/@sha256:b{64}/g, ""),
  );
  expect(unpinned).toEqual(before.map((text) => text.replaceAll(/@sha256:[0-9a-f]{64}/g, "")));
});
