import type { CrmConnection } from "@portal/contract/entities/crm-connection";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useId, useState } from "react";
import { formatDate } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { AlertDialog } from "../../../ui/alert-dialog.tsx";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Input } from "../../../ui/input.tsx";
import { connectionMessages } from "../connection-messages.ts";
import {
  connectionQuery,
  showInstallResult,
  useConfirmInstall,
  useDatePrivateToken,
  useForgetConnection,
  useInstallApp,
  useReadInstall,
} from "../connection-queries.ts";
import type { IntegrationsSearch } from "../integrations-search.ts";

const tones = { app: "plain", private: "plain", none: "danger" } as const satisfies Record<
  CrmConnection["way"],
  BadgeTone
>;

/** The connection to GHL, what it lacks, and buttons to connect or disconnect. */
export function ConnectionCard() {
  const t = useMessages(connectionMessages);
  const titleId = useId();
  const { data: user } = useQuery(currentUserQuery());
  const { data, isError } = useQuery(connectionQuery());
  const isAdmin = user?.role === "admin";
  return (
    <Card aria-labelledby={titleId} className="grid gap-3 px-5 py-4 sm:px-6">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id={titleId} className="font-semibold text-base leading-6">
          {t("title")}
        </h2>
        {data ? <Badge tone={tones[data.way]}>{t(`way_${data.way}`)}</Badge> : null}
        {data?.app?.lost ? <Badge tone="danger">{t("connectAgain")}</Badge> : null}
      </div>
      <div className="grid gap-0.5 text-muted-foreground text-sm" aria-live="polite">
        {data ? <Standing connection={data} /> : <p>{t(isError ? "loadFailed" : "loading")}</p>}
      </div>
      {data && isAdmin ? <Actions connection={data} /> : null}
      {user ? <FinishedInstall isAdmin={isAdmin} /> : null}
    </Card>
  );
}

/** The connection's state as text. */
function Standing({ connection }: { connection: CrmConnection }) {
  const t = useMessages(connectionMessages);
  const { way, app, installedAt, noEvents } = connection;
  return (
    <>
      {app && way === "app" ? (
        <p className="break-words text-foreground">
          {t("connectedWith", { name: app.locationName, when: formatDate(app.connectedAt) })}
        </p>
      ) : null}
      {app?.lost ? (
        <p className="text-danger-text">
          {t(app.lost.reason)} {t(way === "private" ? "privateServes" : "waits")}
        </p>
      ) : null}
      {app?.unrenewed ? (
        <p className="break-words text-danger-text">
          {t(app.unrenewed)} {way === "app" ? null : t(way === "private" ? "privateServes" : "waitsRenewal")}
        </p>
      ) : null}
      {way === "none" && !app ? <p>{t("none")}</p> : null}
      {installedAt ? <p>{t("installed", { when: formatDate(installedAt) })}</p> : null}
      {app && !app.lost && app.missingScopes.length > 0 ? (
        <p className="break-words text-warning-text">
          {t("missingScopes", { scopes: app.missingScopes.join(", ") })}
        </p>
      ) : null}
      {noEvents ? <p>{t("noEvents")}</p> : null}
      <PrivateToken connection={connection} />
    </>
  );
}

function PrivateToken({ connection: { privateToken } }: { connection: CrmConnection }) {
  const t = useMessages(connectionMessages);
  if (!privateToken) return null;
  const { since, rotateBy, rotation } = privateToken;
  return (
    <p>
      {t("tokenSince", { when: formatDate(since) })}{" "}
      {rotation === "fresh" ? null : (
        <span className={rotation === "over" ? "text-danger-text" : "text-warning-text"}>
          {t(rotation === "over" ? "tokenOver" : "tokenNear", { when: formatDate(rotateBy) })}
        </span>
      )}
    </p>
  );
}

function Actions({ connection }: { connection: CrmConnection }) {
  const t = useMessages(connectionMessages);
  const install = useInstallApp();
  const forget = useForgetConnection();
  const [asks, setAsks] = useState(false);
  const { app, appConfigured, privateToken } = connection;
  const stands = app !== null && app.lost === null;
  // The browser is leaving for HighLevel, so the button stays busy.
  const leaving = install.isPending || install.isSuccess;
  return (
    <div className="flex flex-wrap items-end gap-2">
      {appConfigured && !stands ? (
        <Button pending={leaving} onClick={() => install.mutate()}>
          {t(app ? "connectAgain" : "install")}
        </Button>
      ) : null}
      {app ? (
        <Button variant="secondary" onClick={() => setAsks(true)}>
          {t("disconnect")}
        </Button>
      ) : null}
      {privateToken ? <TokenDate /> : null}
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t("disconnectTitle")}
        description={t("disconnectQuestion")}
        cancelLabel={t("cancel")}
        confirmLabel={t("disconnect")}
        destructive
        pending={forget.isPending}
        onConfirm={() => forget.mutate(undefined, { onSettled: () => setAsks(false) })}
      />
    </div>
  );
}

/** The day on which the private token was created. */
function TokenDate() {
  const t = useMessages(connectionMessages);
  const date = useDatePrivateToken();
  const dayId = useId();
  const [day, setDay] = useState<string | null>(null);
  if (day === null)
    return (
      <Button variant="ghost" onClick={() => setDay("")}>
        {t("setDate")}
      </Button>
    );
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (day) date.mutate(day, { onSuccess: () => setDay(null) });
      }}
    >
      <div className="grid gap-1 text-sm">
        <label htmlFor={dayId}>{t("dateLabel")}</label>
        <Input
          id={dayId}
          type="date"
          required
          max={new Date().toLocaleDateString("sv")}
          value={day}
          onChange={(event) => setDay(event.target.value)}
        />
      </div>
      <Button type="submit" pending={date.isPending}>
        {t("save")}
      </Button>
      <Button variant="secondary" onClick={() => setDay(null)}>
        {t("cancel")}
      </Button>
    </form>
  );
}

/**
 * The result of a redirect from GHL, which is removed from the address: how an installation ended, or one started in GHL that an
 * administrator confirms by the location's name.
 */
function FinishedInstall({ isAdmin }: { isAdmin: boolean }) {
  const t = useMessages(connectionMessages);
  const { crm, crmInstall }: IntegrationsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const read = useReadInstall();
  const confirm = useConfirmInstall();
  const [isClosed, setClosed] = useState(false);
  const take = useEffectEvent((result: string | undefined, code: string | undefined) => {
    if (!result && !code) return;
    void navigate({ to: ".", search: {}, replace: true, resetScroll: false });
    if (result) showInstallResult(result);
    else if (!isAdmin) showInstallResult("not-admin");
    else if (code) read.mutate(code);
  });
  useEffect(() => take(crm, crmInstall), [crm, crmInstall]);
  const found = read.data?.location && read.data.held ? read.data : null;
  const { location, held } = found ?? {};
  if (!location || !held) return null;
  return (
    <AlertDialog
      open={!isClosed}
      onOpenChange={(open) => setClosed(!open)}
      title={t("confirmTitle", { name: location.name })}
      description={t("confirmQuestion", { name: location.name, id: location.id })}
      cancelLabel={t("cancel")}
      confirmLabel={t("connect")}
      pending={confirm.isPending}
      onConfirm={() => confirm.mutate(held, { onSettled: () => setClosed(true) })}
    />
  );
}
