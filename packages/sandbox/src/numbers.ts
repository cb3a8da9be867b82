/** Area codes of the invented people, with their places. */
export const AREAS = [
  { code: "305", city: "Miami", state: "FL", zip: "33130", timezone: "America/New_York" },
  { code: "786", city: "Hialeah", state: "FL", zip: "33012", timezone: "America/New_York" },
  { code: "407", city: "Orlando", state: "FL", zip: "32801", timezone: "America/New_York" },
  { code: "813", city: "Tampa", state: "FL", zip: "33602", timezone: "America/New_York" },
  { code: "212", city: "New York", state: "NY", zip: "10001", timezone: "America/New_York" },
  { code: "718", city: "Brooklyn", state: "NY", zip: "11201", timezone: "America/New_York" },
  { code: "201", city: "Jersey City", state: "NJ", zip: "07302", timezone: "America/New_York" },
  { code: "404", city: "Atlanta", state: "GA", zip: "30303", timezone: "America/New_York" },
  { code: "713", city: "Houston", state: "TX", zip: "77002", timezone: "America/Chicago" },
  { code: "210", city: "San Antonio", state: "TX", zip: "78205", timezone: "America/Chicago" },
  { code: "214", city: "Dallas", state: "TX", zip: "75201", timezone: "America/Chicago" },
  { code: "512", city: "Austin", state: "TX", zip: "78701", timezone: "America/Chicago" },
  { code: "312", city: "Chicago", state: "IL", zip: "60601", timezone: "America/Chicago" },
  { code: "602", city: "Phoenix", state: "AZ", zip: "85003", timezone: "America/Phoenix" },
  { code: "505", city: "Albuquerque", state: "NM", zip: "87102", timezone: "America/Denver" },
  { code: "303", city: "Denver", state: "CO", zip: "80202", timezone: "America/Denver" },
  { code: "702", city: "Las Vegas", state: "NV", zip: "89101", timezone: "America/Los_Angeles" },
  { code: "213", city: "Los Angeles", state: "CA", zip: "90012", timezone: "America/Los_Angeles" },
  { code: "619", city: "San Diego", state: "CA", zip: "92101", timezone: "America/Los_Angeles" },
  { code: "408", city: "San Jose", state: "CA", zip: "95113", timezone: "America/Los_Angeles" },
] as const;

export type Area = (typeof AREAS)[number];

const byCode = new Map<string, Area>(AREAS.map((area) => [area.code, area]));

/** The place of a North American number; undefined for an area code without one in the sandbox. */
export function areaOf(number: string): Area | undefined {
  return number.startsWith("+1") ? byCode.get(number.slice(2, 5)) : undefined;
}

/**
 * The E.164 form of a number as the vendors parse it, with the United States as default; null if it cannot be dialed. Area code and
 * exchange of North American numbers begin with 2 to 9.
 */
export function toE164(raw: string): string | null {
  if (!/^[+\d\s().-]+$/.test(raw)) return null;
  const digits = raw.replace(/\D/g, "");
  const international = raw.trim().startsWith("+");
  const full = international ? digits : digits.length === 10 ? `1${digits}` : digits;
  if (full.startsWith("1")) return /^1[2-9]\d{2}[2-9]\d{6}$/.test(full) ? `+${full}` : null;
  return international && /^[2-9]\d{6,14}$/.test(full) ? `+${full}` : null;
}

/** The n-th seeded number: lines 555-0100 to 555-0199, reserved for fiction, in every area in turn. */
export function fictionNumber(n: number): string {
  const area = AREAS[n % AREAS.length] as Area;
  const line = 100 + ((Math.floor(n / AREAS.length) * 11 + n * 3) % 100);
  return `+1${area.code}5550${line}`;
}

/** The n-th generated number: any other 555 line, all different up to 198,000. */
export function generatedNumber(n: number): string {
  const area = AREAS[n % AREAS.length] as Area;
  const line = Math.floor(n / AREAS.length) % 9900;
  return `+1${area.code}555${String(line < 100 ? line : line + 100).padStart(4, "0")}`;
}
