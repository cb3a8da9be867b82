import { lookup as lookUp } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Private and special-purpose networks (RFC 6890). */
const inside = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  inside.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  inside.addSubnet(network, bits, "ipv6");

/** Whether a host is an IP address in such a network; false for a name. */
export function isInside(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, "");
  const version = isIP(address);
  return version !== 0 && inside.check(address, version === 6 ? "ipv6" : "ipv4");
}

/**
 * Resolves a host, and fails if one of its addresses is in such a network. It is called by the connection itself, so that the checked
 * address is the one that is used.
 */
export const resolveOutside: LookupFunction = (hostname, options, callback) =>
  lookUp(hostname, options, (error, address, family) => {
    const found = typeof address === "string" ? [address] : (address ?? []).map((each) => each.address);
    const refused =
      error ?? (found.some(isInside) ? new Error(`${hostname} lies in a private network`) : null);
    callback(refused, address, family);
  });
