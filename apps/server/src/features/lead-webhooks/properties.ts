import type { KnownProperties } from "./data-origins.ts";
import { cut, type DeliveryEvent, type Fields } from "./delivery-event.ts";

/** A record has at most so many; more than any contact needs. */
const propertiesMax = 200;
const valueMax = 5_000;

/** Adds changes of single properties to what is known, in any order of their coming: the later change of each holds. */
export function mergeProperties(known: KnownProperties | null, events: DeliveryEvent[]): KnownProperties {
  const merged = new Map(Object.entries(known ?? {}));
  for (const event of events) {
    if (event.kind !== "properties") continue;
    for (const [name, value] of Object.entries(event.fields)) {
      const before = merged.get(name);
      if (before ? before.at > event.at : merged.size >= propertiesMax) continue;
      merged.set(name, { value: cut(String(value ?? ""), valueMax), at: event.at });
    }
  }
  return Object.fromEntries(merged);
}

/** The properties that say something, without their instants. */
export function plainProperties(properties: KnownProperties | null): Fields {
  const said = Object.entries(properties ?? {}).filter(([, { value }]) => value !== "");
  return Object.fromEntries(said.map(([name, { value }]) => [name, value]));
}
