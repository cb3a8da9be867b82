/** The scope that a request needs, among those that the portal requests: the vendor's descriptions list it for each path. */
const NEEDED: [method: RegExp, path: RegExp, scope: string][] = [
  [/^GET$/, /^\/contacts\//, "contacts.readonly"],
  [/^POST$/, /^\/contacts\/search$/, "contacts.readonly"],
  [/./, /^\/contacts\//, "contacts.write"],
  [/^GET$/, /^\/users\//, "users.readonly"],
  [/^GET$/, /^\/locations\/[^/]+$/, "locations.readonly"],
  [/^GET$/, /^\/locations\/[^/]+\/customFields/, "locations/customFields.readonly"],
  [/./, /^\/locations\/[^/]+\/customFields/, "locations/customFields.write"],
  [/^GET$/, /^\/conversations\/messages\//, "conversations/message.readonly"],
];

/** Undefined if any token is accepted. */
export function scopeNeeded(method: string, url: string): string | undefined {
  const path = url.split("?", 1)[0]?.replace(/^\/ghl/, "") ?? "";
  return NEEDED.find(([methods, paths]) => methods.test(method) && paths.test(path))?.[2];
}
