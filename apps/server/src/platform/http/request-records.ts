import { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import { type Span, startSpan } from "../../ports/tracer.ts";

type LogLine = FastifyBaseLogger["info"];

declare module "fastify" {
  interface FastifyRequest {
    /** Fields that the request's later log lines carry besides its id. */
    logWith(bindings: Record<string, unknown>): void;
  }
}

/**
 * The logger of one request. Most requests log only their last line, which needs no logger of its own; a child logger is created
 * when something else is logged.
 */
class RequestLog {
  bindings: Record<string, unknown>;
  private readonly parent: FastifyBaseLogger;
  private made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Record<string, unknown>) {
    this.parent = parent;
    this.bindings = bindings;
  }

  get own(): FastifyBaseLogger {
    this.made ??= this.parent.child(this.bindings);
    return this.made;
  }

  bind(bindings: Record<string, unknown>): void {
    this.bindings = { ...this.bindings, ...bindings };
    this.made = undefined;
  }

  get level() {
    return this.parent.level;
  }

  child(...args: Parameters<FastifyBaseLogger["child"]>) {
    return this.own.child(...args);
  }

  fatal(...args: Parameters<LogLine>) {
    this.own.fatal(...args);
  }
  error(...args: Parameters<LogLine>) {
    this.own.error(...args);
  }
  warn(...args: Parameters<LogLine>) {
    this.own.warn(...args);
  }
  info(...args: Parameters<LogLine>) {
    this.own.info(...args);
  }
  debug(...args: Parameters<LogLine>) {
    this.own.debug(...args);
  }
  trace(...args: Parameters<LogLine>) {
    this.own.trace(...args);
  }
  silent(...args: Parameters<LogLine>) {
    this.own.silent(...args);
  }
}

/** Turns Fastify's own request lines off, as `registerRequestLog` writes them; errors are still logged. */
class QuietLogController extends LogController {
  override incomingRequest(): void {}
  override requestCompleted(): void {}
}

/** Options for `Fastify()`: a request gets a logger when it first needs one. */
export const requestLogging = {
  logController: new QuietLogController(),
  childLoggerFactory: (logger: FastifyBaseLogger, bindings: Record<string, unknown>) =>
    new RequestLog(logger, bindings) as FastifyBaseLogger,
};

const bindingsOf = ({ log }: FastifyRequest) => (log instanceof RequestLog ? log.bindings : {});

/** Logs one line for every request, when its response was sent or its connection was lost (`aborted`). Leaves out the query, which can
 * hold names and numbers. */
export function registerRequestLog(app: FastifyInstance, { isOn }: { isOn: boolean }): void {
  app.decorateRequest("logWith", function logWith(this: FastifyRequest, bindings) {
    if (this.log instanceof RequestLog) this.log.bind(bindings);
  });
  if (!isOn) return;
  app.addHook("onRequest", (request, reply, done) => {
    reply.raw.once("close", () => {
      const { method, url, ip } = request;
      const query = url.indexOf("?");
      app.log.info(
        {
          ...bindingsOf(request),
          method,
          path: query < 0 ? url : url.slice(0, query),
          address: ip,
          status: reply.raw.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...(reply.raw.writableFinished ? {} : { aborted: true }),
        },
        "request",
      );
    });
    done();
  });
}

const digits = /^\d{1,15}$/;

/** The parent trace of a request: a browser sends it in a header, a provider's callback has it in its address. */
function parentOf({ headers, query }: FastifyRequest): string | null {
  const { trace } = query as Record<string, unknown>;
  if (typeof headers.traceparent === "string") return headers.traceparent;
  return typeof trace === "string" ? trace : null;
}

/**
 * Creates a span for each request, named by the route's pattern, never by its path or query. Call it once there is a tracer, before any
 * other hook that queries the database.
 */
export function registerRequestTraces(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook("onRequest", (request, reply, done) => {
    const { url: route } = request.routeOptions;
    const { call } = request.query as Record<string, unknown>;
    const span =
      route === undefined || !route.startsWith("/api/")
        ? null
        : startSpan(`${request.method} ${route}`, {
            kind: "server",
            parent: parentOf(request),
            facts: {
              "http.request.method": request.method,
              "http.route": route,
              "portal.request_id": request.id,
              ...(typeof call === "string" && digits.test(call) && { "portal.call_id": Number(call) }),
            },
          });
    if (!span) return done();
    spans.set(request, span);
    reply.raw.once("close", () => {
      const { statusCode } = reply.raw;
      span.set({ "http.response.status_code": statusCode });
      span.end(statusCode >= 500 ? String(statusCode) : undefined);
    });
    span.run(done);
  });
  // A body is read in events of the connection, which have no span as their context.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
}
