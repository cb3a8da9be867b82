import * as contract from "@portal/contract/routes/team";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { LeadsContext } from "../leads/service.ts";
import { createMember, updateMember } from "./save-member.ts";
import {
  closeAccount,
  endMemberSessions,
  getMember,
  listTeam,
  makeMemberLink,
  reopenAccount,
  resetSecondFactor,
  type TeamContext,
  unlinkMember,
  updateMemberAvailability,
} from "./service.ts";
import { transferLeads } from "./transfer-leads.ts";

/** The routes of the team page: list of accounts, and administrators' changes to accounts. */
export function registerTeamRoutes(
  app: FastifyInstance,
  context: TeamContext & LeadsContext & { jobs: Pick<Jobs, "enqueue"> },
): void {
  const { db } = context.database;
  const log = (request: FastifyRequest, memberId: number, act: string) =>
    request.log.info({ memberId, act }, "team changed");

  bindRoute(app, contract.listTeam, async () => listTeam(db));

  bindRoute(app, contract.createMember, async ({ body, actor, request }) => {
    const { memberId, link } = await createMember(context, { ...body, actor });
    log(request, memberId, "created");
    return { member: await getMember(db, memberId), link };
  });

  bindRoute(app, contract.updateMember, async ({ params, body, actor, request }) => {
    const member = await updateMember(context, { ...body, actor, memberId: params.id });
    log(request, params.id, "changed");
    return member;
  });

  bindRoute(app, contract.updateMemberAvailability, async ({ params, body, actor, request }) => {
    const member = await updateMemberAvailability(context, { ...body, actor, memberId: params.id });
    log(request, params.id, "availability changed");
    return member;
  });

  bindRoute(app, contract.deactivateMember, async ({ params, actor, request }) => {
    const member = await closeAccount(context, { actor, memberId: params.id });
    log(request, params.id, "closed");
    return member;
  });

  bindRoute(app, contract.reactivateMember, async ({ params, actor, request }) => {
    const member = await reopenAccount(context, { actor, memberId: params.id });
    log(request, params.id, "reopened");
    return member;
  });

  bindRoute(app, contract.resetPassword, async ({ params, actor, request }) => {
    const link = await makeMemberLink(context, { actor, memberId: params.id });
    log(request, params.id, "password link made");
    return link;
  });

  bindRoute(app, contract.endMemberSessions, async ({ params, actor, request }) => {
    const ended = await endMemberSessions(context, { actor, memberId: params.id });
    log(request, params.id, "signed out");
    return { ended };
  });

  bindRoute(app, contract.unlinkMember, async ({ params, actor, request }) => {
    const member = await unlinkMember(context, { actor, memberId: params.id });
    log(request, params.id, "unlinked");
    return member;
  });

  bindRoute(app, contract.resetMemberSecondFactor, async ({ params, actor, request }) => {
    const member = await resetSecondFactor(context, { actor, memberId: params.id });
    log(request, params.id, "second factor reset");
    return member;
  });

  bindRoute(app, contract.transferMemberLeads, ({ params, body, actor }) =>
    transferLeads(context, {
      actor,
      memberId: params.id,
      to: body.to,
      notes: body.notes?.trim() || null,
    }),
  );
}
