/** The columns of a list as an address holds them: words with commas between. */
export const parseColumns = (value: unknown): string | undefined =>
  typeof value === "string" && /^[a-zA-Z]+(,[a-zA-Z]+)*$/.test(value) ? value : undefined;

/** The address of a list's query and columns, without the question mark. */
export const listAddress = (query: object, columns: string | undefined): string =>
  new URLSearchParams(
    Object.entries({ ...query, columns }).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)]],
    ),
  ).toString();
