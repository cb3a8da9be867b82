import { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from "fastify";

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
