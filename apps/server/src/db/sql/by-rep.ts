import { anyRep, type RepFilter } from "@portal/contract/entities/fields";

/** A condition on who did it: one person, or anybody. */
export function byRepSql(column: string, rep: RepFilter, place: (value: unknown) => string): string {
  return rep === anyRep ? `${column} is not null` : `${column} = ${place(rep)}`;
}
