import type { z } from "zod";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

type Schema = z.ZodType;

/** One endpoint of the portal's API: its input and output. The server's policy table says who may use it. */
export interface Route<
  Params extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Response extends Schema = Schema,
> {
  readonly method: Method;
  /** Path with `:name` placeholders, for example `/api/leads/:id`. */
  readonly path: string;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly response: Response;
}

type Declared<S> = Exclude<S, undefined>;
type Input<S> = [Declared<S>] extends [never] ? undefined : z.input<Declared<S>>;
type Output<S> = [Declared<S>] extends [never] ? undefined : z.output<Declared<S>>;

/** Input of a client that calls the route. */
export type RouteInput<R extends Route> = {
  params: Input<R["params"]>;
  query: Input<R["query"]>;
  body: Input<R["body"]>;
};

/** What the handler of the route receives after validation. */
export type RouteRequest<R extends Route> = {
  params: Output<R["params"]>;
  query: Output<R["query"]>;
  body: Output<R["body"]>;
};

/** The route's response. */
export type RouteResponse<R extends Route> = z.output<R["response"]>;

/** Declares a route, shared by the server that implements it and the browser that calls it. */
export function defineRoute<
  Response extends Schema,
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
>(route: Route<Params, Query, Body, Response>): Route<Params, Query, Body, Response> {
  return route;
}
