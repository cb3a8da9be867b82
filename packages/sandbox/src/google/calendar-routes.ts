import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Faults } from "../faults.ts";
import { GoogleError, googleFailure } from "./errors.ts";
import { type ListQuery, listEvents, presentEvent } from "./event-list.ts";
import { deleteEvent, insertEvent, patchEvent, requireEvent, type WriteBody } from "./event-writes.ts";
import type { GoogleData } from "./google-data.ts";

const SCOPES = [
  "https://www.googleapis.com/auth/calendar",
  "https://www.googleapis.com/auth/calendar.events",
  "https://www.googleapis.com/auth/calendar.events.owned",
];

const API_OFF =
  "Google Calendar API has not been used in project 123456789012 before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/calendar-json.googleapis.com/overview?project=123456789012 then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.";
const DOMAIN_CLOSED = "The domain administrators have disabled Calendar apps.";

type Params = { calendarId: string; eventId: string };
interface Route {
  Params: Params;
  Querystring: ListQuery;
  Body: WriteBody | null;
}

/** Calendar v3: the primary calendar of each account. */
export function calendarRoutes(data: GoogleData, faults: Faults) {
  return async (app: FastifyInstance): Promise<void> => {
    faults.guard(app, "google", googleFailure);
    app.setNotFoundHandler((_request, reply) => reply.code(404).send(googleFailure(404, "")));
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      if (error instanceof GoogleError) return reply.code(error.statusCode).send(error.body);
      const status = error.statusCode ?? 500;
      return reply.code(status).send(googleFailure(status, ""));
    });

    const accountOf = (request: FastifyRequest): string => {
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
      const grant = token ? data.grantOfAccess(token) : undefined;
      if (!grant) throw new GoogleError(401);
      if (!grant.scope.split(" ").some((scope) => SCOPES.includes(scope)))
        throw new GoogleError(
          403,
          "insufficientPermissions",
          "Request had insufficient authentication scopes.",
        );
      if (!data.apiEnabled) throw new GoogleError(403, "accessNotConfigured", API_OFF);
      if (data.closedDomains.has(grant.account.split("@")[1] ?? ""))
        throw new GoogleError(403, "domainPolicy", DOMAIN_CLOSED);
      const { calendarId } = request.params as Params;
      if (calendarId !== "primary" && calendarId !== grant.account) throw new GoogleError(404);
      return grant.account;
    };
    const write = (request: FastifyRequest<Route>) => ({
      data,
      account: accountOf(request),
      body: request.body ?? {},
      withConference: request.query.conferenceDataVersion === "1",
    });
    const path = "/calendars/:calendarId/events";

    app.get<Route>(path, async (request) => listEvents(data, accountOf(request), request.query));
    app.post<Route>(path, async (request) => insertEvent(write(request)));
    app.get<Route>(`${path}/:eventId`, async (request) =>
      presentEvent(requireEvent(data, accountOf(request), request.params.eventId)),
    );
    app.patch<Route>(`${path}/:eventId`, async (request) =>
      patchEvent(request.params.eventId, request.headers["if-match"], write(request)),
    );
    app.delete<Route>(`${path}/:eventId`, async (request, reply) => {
      deleteEvent(data, accountOf(request), request.params.eventId, request.headers["if-match"]);
      return reply.code(204).send();
    });
  };
}
