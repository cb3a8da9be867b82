/** An unparsed response. */
export interface RawAnswer {
  status: number;
  statusText: string;
  body: string;
}

/** Posts a text and returns the response unparsed, for display. @throws TypeError when the server cannot be reached. */
export async function postRaw(
  url: string,
  { body, contentType, headers }: { body: string; contentType: string; headers: Record<string, string> },
): Promise<RawAnswer> {
  const response = await fetch(url, {
    method: "POST",
    credentials: "include",
    headers: { ...headers, "Content-Type": contentType },
    body,
  });
  return { status: response.status, statusText: response.statusText, body: await response.text() };
}
