import type { LoadRequest } from "./load.ts";
import { lastNames } from "./scale-data.ts";

const many = 16_000;
let stamp = 0;

const gets = (paths: string[]): LoadRequest[] => paths.map((path) => ({ method: "GET", path }));
const chosen = "status=new&priority=high";

/** A pseudorandom lead that is the same in every run. */
const leadOf = (index: number, leads: number) => ((index * 7_919) % leads) + 1;

/** The requests to both servers for each kind of work; every consultant has 900 leads, `rep` is one of them. */
export const requestsOf: Record<string, (size: { leads: number; rep: number }) => LoadRequest[]> = {
  page: () => gets(lastNames.map((name) => `/api/leads?limit=50&${chosen}&search=${name.toLowerCase()}`)),
  filtered: () => gets(Array.from({ length: 8 }, () => `/api/leads?limit=50&${chosen}`)),
  rare: ({ leads }) =>
    gets(
      Array.from({ length: 64 }, (_value, index) =>
        index % 2 ? "xylander" : `person${leadOf(index, leads)}@`,
      ).map((search) => `/api/leads?limit=50&search=${encodeURIComponent(search)}`),
    ),
  rep: ({ rep }) => gets(Array.from({ length: 8 }, () => `/api/leads?rep=${rep}`)),
  "lead by id": ({ leads }) =>
    gets(Array.from({ length: 2_000 }, (_value, index) => `/api/leads/${leadOf(index, leads)}`)),
  PATCH: ({ leads }) =>
    Array.from({ length: many }, (_value, index) => {
      stamp += 1;
      const body = JSON.stringify({ notes: `Asked for an offer, said in call ${stamp}` });
      return { method: "PATCH", path: `/api/leads/${leadOf(index, leads)}`, body };
    }),
  "call log": ({ leads, rep }) =>
    Array.from({ length: many }, (_value, index) => {
      const notes = `Call again at noon about the offer ${index}`;
      const body = { leadId: leadOf(index, leads), outcome: "no_answer", duration: 12, notes };
      return { method: "POST", path: `/api/call-logs?user=${rep}`, body: JSON.stringify(body) };
    }),
};
