import { accountHeader } from "@portal/contract/account-header";
import type { ErrorBody } from "@portal/contract/errors";
import { idleHeader } from "@portal/contract/idle-header";
import { limits } from "@portal/contract/limits";
import type { Route, RouteInput, RouteRequest, RouteResponse } from "@portal/contract/route";

const idleMs = 60_000;
let touchedAt = performance.now();

for (const sign of ["pointerdown", "pointermove", "keydown", "wheel", "scroll"])
  window.addEventListener(
    sign,
    () => {
      touchedAt = performance.now();
    },
    { capture: true, passive: true },
  );

/** Whether the page was not used for a minute: its requests are then automatic and no activity. */
function isIdle(): boolean {
  return performance.now() - touchedAt > idleMs;
}

const EMPTY = "Empty response from server";
const SESSION_EXPIRED = "Sesión expirada. Por favor recarga la página e inicia sesión nuevamente.";
const UNREADABLE = "Error procesando respuesta del servidor: ";

/** Error of a request that got a response other than the expected one. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  /** The message without the status: the server's own text. */
  readonly text: string;
  /** The contract's error code; absent where something other than the portal answered. */
  readonly code: string | undefined;
  /** The parsed JSON body of a failed request. */
  readonly body: Partial<ErrorBody> | undefined;

  constructor({ status, text, message, body }: ApiErrorParts) {
    super(message ?? `${status}: ${text}`);
    this.status = status;
    this.text = text;
    this.code = body?.code;
    this.body = body;
  }
}

interface ApiErrorParts {
  status: number;
  text: string;
  message?: string;
  body?: Partial<ErrorBody> | undefined;
}

type QueryValues = Record<string, unknown>;
/** Query parameters; null, undefined and '' are left out. */
export type QueryObject = Readonly<QueryValues>;

/** The address of a path with its query string. */
export function toUrl(path: string, query?: QueryObject): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== null && value !== undefined && value !== "") search.append(name, String(value));
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}

interface Answer {
  data: unknown;
  headers: Headers;
}

interface RequestOptions {
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** The account that the request is for: the server treats a session of another account as signed out. */
  account?: number;
}

/**
 * Sends one request with the session's credentials and parses its JSON response. @throws ApiError for a response that is not 2xx, empty or
 * not JSON (such as a page of HTML); TypeError when the server cannot be reached.
 */
export async function request(method: string, url: string, options: RequestOptions = {}): Promise<Answer> {
  const { response, text } = await send(method, url, options);
  if (!response.ok) throw failure(response, text);
  return { data: parseBody(response.status, text), headers: response.headers };
}

/**
 * A new trace for the requests of a button press (https://www.w3.org/TR/trace-context/), so that a server that sends traces records their
 * effects under one id. Reads have none, because a header would prevent the reuse of the page's preloads.
 */
function newTraceparent(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-01`;
}

async function send(method: string, url: string, { body, signal, account }: RequestOptions) {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (account !== undefined) headers[accountHeader] = String(account);
  if (body !== undefined) headers["Content-Type"] = body instanceof Blob ? body.type : "application/json";
  if (isIdle()) headers[idleHeader] = "1";
  if (method !== "GET") headers.traceparent = newTraceparent();
  const response = await fetch(url, {
    method,
    headers,
    credentials: "include",
    // A Blob is serialised JSON already (a large import).
    body: body === undefined ? null : body instanceof Blob ? body : JSON.stringify(body),
    signal: signal ?? null,
  });
  return { response, text: await response.text() };
}

/** Whether an address responds with 2xx; requests one byte. @throws TypeError when the server cannot be reached. */
export async function answersOk(url: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(url, { credentials: "include", headers: { Range: "bytes=0-0" }, signal });
  await response.body?.cancel();
  return response.ok;
}

/** Downloads a file. @throws ApiError for a response that is not 2xx; TypeError when the server cannot be reached. */
export async function fetchFile(url: string): Promise<Blob> {
  return (await fetchFileAnswer(url)).file;
}

/** `fetchFile` with the response's headers. */
export async function fetchFileAnswer(url: string): Promise<{ file: Blob; headers: Headers }> {
  const response = await fetch(url, { credentials: "include" });
  if (!response.ok) throw failure(response, await response.text());
  return { file: await response.blob(), headers: response.headers };
}

function parseBody(status: number, text: string): unknown {
  if (text.trim() === "") throw new ApiError({ status, text: EMPTY, message: EMPTY });
  if (isHtml(text)) throw new ApiError({ status, text: SESSION_EXPIRED, message: SESSION_EXPIRED });
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = UNREADABLE + (error instanceof Error ? error.message : String(error));
    throw new ApiError({ status, text: message, message });
  }
}

function failure(response: Response, text: string): ApiError {
  const { status } = response;
  if (text.trim() === "") return new ApiError({ status, text: EMPTY });
  if (isHtml(text)) return new ApiError({ status, text: SESSION_EXPIRED });
  const body = parseErrorBody(text);
  if (typeof body?.message === "string") return new ApiError({ status, text: body.message, body });
  return new ApiError({ status, text: text.slice(0, limits.errorBodyCharacters), body });
}

function parseErrorBody(text: string): Partial<ErrorBody> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? (parsed as Partial<ErrorBody>) : undefined;
  } catch {
    return undefined;
  }
}

function isHtml(text: string): boolean {
  return /^\s*<(!doctype|html)\b/i.test(text);
}

/** The input type of coerced fields is unknown, so callers pass the output type. */
type Known<In, Out> = In extends object
  ? { [K in keyof In]: unknown extends In[K] ? (K extends keyof Out ? Out[K] : never) : In[K] }
  : In;
type Part<K extends string, T> = [T] extends [undefined]
  ? { [P in K]?: undefined }
  : Record<string, never> extends T
    ? { [P in K]?: T }
    : { [P in K]: T };

/** Input of a contract route: path parameters, query and body. */
export type CallInput<R extends Route> = Part<
  "params",
  Known<RouteInput<R>["params"], RouteRequest<R>["params"]>
> &
  Part<"query", Known<RouteInput<R>["query"], RouteRequest<R>["query"]>> &
  Part<"body", Known<RouteInput<R>["body"], RouteRequest<R>["body"]>>;

/** The input is optional where the route requires none. */
export type InputArgument<R extends Route> =
  Record<string, never> extends CallInput<R> ? [input?: CallInput<R>] : [input: CallInput<R>];

interface AnyInput {
  params?: object | undefined;
  query?: object | undefined;
  body?: unknown;
}

/** The route's path with its `:name` placeholders filled in, encoded. */
export function routePath(route: Route, params?: object): string {
  return route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value: unknown = (params as QueryValues | undefined)?.[name];
    if (value === undefined) throw new Error(`No value for :${name} of ${route.path}`);
    return encodeURIComponent(String(value));
  });
}

/** The full address of a GET route: for an audio source, a download link or a navigation. */
export function routeUrl<R extends Route>(route: R, ...[input]: InputArgument<R>): string {
  const { params, query } = (input ?? {}) as AnyInput;
  return toUrl(routePath(route, params), query as QueryObject | undefined);
}

/** Calls a contract route. @throws ApiError, or TypeError when the server cannot be reached. */
export async function callRoute<R extends Route>(
  route: R,
  ...[input]: InputArgument<R>
): Promise<RouteResponse<R>> {
  const { params, query, body } = (input ?? {}) as AnyInput;
  const url = toUrl(routePath(route, params), query as QueryObject | undefined);
  const { data } = await request(route.method, url, { body });
  return data as RouteResponse<R>;
}
