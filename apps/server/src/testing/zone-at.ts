/** A zone whose clock shows this hour now. */
export function zoneAt(hour: number): string {
  const east = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  return east === 0 ? "Etc/GMT" : `Etc/GMT${east > 0 ? "-" : "+"}${Math.abs(east)}`;
}
