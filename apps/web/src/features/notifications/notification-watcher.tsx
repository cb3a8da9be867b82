import { getLead } from "@portal/contract/routes/leads";
import {
  type AdminAlertKind,
  adminAlertKinds,
  listNotifications,
  type NotificationEntry,
} from "@portal/contract/routes/notifications";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { formatNumber, formatPhone } from "../../lib/format.ts";
import { defineMessages, messagesOf } from "../../lib/i18n.ts";
import { lateComponent } from "../../lib/late-module.ts";
import { routeQuery } from "../../lib/query-client.ts";
import { STORAGE_KEYS } from "../../lib/storage-keys.ts";
import { openDialog } from "../../ui/dialog-outlet.tsx";
import { toast } from "../../ui/toast.ts";
import { isThreadShown } from "../sms/thread-state.ts";
import {
  claimOnce,
  showDesktopNotification,
  useDesktopNotifications,
  useNotifiesOnDesktop,
} from "./show-desktop-notifications.ts";

const notificationMessages = defineMessages("notices", {
  text: ["New text from {name}", "Nuevo mensaje de {name}"],
  textOfFiles: ["It came with files only.", "Solo trae archivos."],
  google_api_off: [
    "Google's Calendar API is not switched on",
    "La API de Calendar de Google no está activada",
  ],
  google_domain_policy: [
    "A Google Workspace does not let the portal in",
    "Un Google Workspace no deja entrar al portal",
  ],
  crm_deletions_held: ["Many contacts were deleted in GHL", "Se eliminaron muchos contactos en GHL"],
  heldHint: [
    "No lead was marked. Decide about them on the Integrations page.",
    "No se marcó ningún prospecto. Decide qué hacer en la página Integraciones.",
  ],
  crm_lost: ["The GoHighLevel app needs attention", "La aplicación de GoHighLevel necesita atención"],
  crmLostHint: [
    "What waits is kept. The Integrations page says what to do.",
    "Lo que espera se conserva. La página Integraciones dice qué hacer.",
  ],
  calls_not_connected: ["Calls cannot be connected", "No se pueden conectar las llamadas"],
  connectHint: [
    "Five in a row failed. Look at the geo permissions, the caller id and whether it is a trial account.",
    "Cinco seguidas fallaron. Revisa los permisos geográficos, el número que se muestra y si es una cuenta de prueba.",
  ],
  setupHint: [
    "Meetings wait and go out by themselves afterwards. Diagnostics says what to switch on.",
    "Las reuniones esperan y saldrán solas después. Diagnóstico dice qué activar.",
  ],
  exportBy: ["Large export by {name}", "Exportación grande de {name}"],
  keyHolder: ["a program with a key", "un programa con clave"],
  exported_leads: [
    "{count} leads. The audit has all exports.",
    "{count} prospectos. La auditoría tiene todas.",
  ],
  exported_calls: [
    "{count} calls. The audit has all exports.",
    "{count} llamadas. La auditoría tiene todas.",
  ],
  exported_clients: [
    "{count} clients. The audit has all exports.",
    "{count} clientes. La auditoría tiene todas.",
  ],
  exported_audit: ["{count} entries of the audit itself.", "{count} entradas de la propia auditoría."],
  exported_failed_rows: [
    "{count} rows that an import left out. The audit has all exports.",
    "{count} filas que una importación dejó fuera. La auditoría tiene todas.",
  ],
  threadFailed: ["The conversation could not be opened", "No se pudo abrir la conversación"],
  missedCall: ["Missed call from {name}", "Llamada perdida de {name}"],
  missedCallHint: ["Call back from the call history.", "Devuelve la llamada desde el historial de llamadas."],
});

const SmsDialog = lateComponent(() => import("../sms/components/sms-dialog.tsx"));

/**
 * The server returns notifications of the last two minutes, after an absence of three days; marks are kept longer, to allow for differing
 * clocks.
 */
const keptMs = 4 * 86_400_000;
const pages = {
  text: "/inbox",
  "missed-call": "/call-history",
  "large-export": "/admin",
  google_api_off: "/ghl-diagnostics",
  google_domain_policy: "/ghl-diagnostics",
  crm_deletions_held: "/integrations",
  crm_lost: "/integrations",
  calls_not_connected: "/go-live",
} as const;

/** What to do about an alert, except for settings at Google. */
const hints: Partial<Record<AdminAlertKind, "heldHint" | "crmLostHint" | "connectHint">> = {
  crm_deletions_held: "heldHint",
  crm_lost: "crmLostHint",
  calls_not_connected: "connectHint",
};

export type NotificationPage = (typeof pages)[keyof typeof pages];

const isAdminKind = (kind: string): kind is AdminAlertKind =>
  (adminAlertKinds as readonly string[]).includes(kind);
/** Notifications that administrators get no matter what they are doing now. */
const isForAdmins = (kind: string) => kind === "large-export" || isAdminKind(kind);
const isAdminMark = (mark: string) => isAdminKind(mark.slice(0, mark.indexOf("-0@")));

function claimNotification({ kind, id, at }: NotificationEntry): Promise<boolean> {
  const happenedAt = Date.parse(at);
  return claimOnce({
    store: STORAGE_KEYS.noticed,
    mark: `${kind}-${id}@${at}`,
    // An alert for administrators is marked as long as it lasts.
    isOver: (mark) =>
      !isAdminMark(mark) && Date.parse(mark.slice(mark.indexOf("@") + 1)) < happenedAt - keptMs,
  });
}

/** The title says what happened; the body is the message or what to do. */
function contentOf({ kind, from, text, exported }: NotificationEntry): [title: string, body: string] {
  const t = messagesOf(notificationMessages);
  if (isAdminKind(kind)) return [t(kind), t(hints[kind] ?? "setupHint")];
  if (exported) {
    const count = formatNumber(exported.count);
    return [t("exportBy", { name: from || t("keyHolder") }), t(`exported_${exported.what}`, { count })];
  }
  const name = formatPhone(from);
  return kind === "text"
    ? [t("text", { name }), text || t("textOfFiles")]
    : [t("missedCall", { name }), t("missedCallHint")];
}

function show(notice: NotificationEntry, open: (page: NotificationPage) => void): void {
  const { kind, id, leadId } = notice;
  const [title, body] = contentOf(notice);
  const url = leadId === null ? pages[kind] : `/leads/${leadId}`;
  const onOpen = () => (kind === "text" && leadId !== null ? void openLeadThread(leadId) : open(pages[kind]));
  showDesktopNotification(title, { body, tag: `${kind}-${id}`, url, onOpen });
}

/** Opens the thread of a lead over the current page, with the lead's current data. */
async function openLeadThread(leadId: number): Promise<void> {
  try {
    const lead = await callRoute(getLead, { params: { id: leadId } });
    openDialog((close) => <SmsDialog lead={lead} returnFocusTo={{ current: null }} onClose={close} />);
  } catch (error) {
    toast({
      title: messagesOf(notificationMessages)("threadFailed"),
      description: errorText(error),
      error,
      tone: "destructive",
    });
  }
}

/**
 * Whether an entry is shown as a toast: an SMS of an own lead whose thread is not open in this tab, or an entry for administrators; only in
 * a visible tab.
 */
function isForToast({ kind, leadId }: NotificationEntry): boolean {
  const isShown = isForAdmins(kind) || (kind === "text" && leadId !== null && !isThreadShown(leadId));
  return isShown && document.visibilityState === "visible";
}

/**
 * Shows inbound SMS, missed calls and entries for administrators: as desktop notifications if this browser may and the user is available,
 * else entries for administrators and SMS of own leads as toasts; the latter open the thread. Of all tabs one shows each entry, once.
 */
export default function NotificationWatcher({ open }: { open: (page: NotificationPage) => void }) {
  const isOn = useDesktopNotifications() === "on";
  const isNotifying = useNotifiesOnDesktop();
  const { data: notices, refetch } = useQuery(routeQuery(listNotifications));
  const onOpen = useEffectEvent(open);
  const notify = useEffectEvent((notice: NotificationEntry) => {
    const { kind, leadId } = notice;
    if (isForDesktop(kind)) return show(notice, onOpen);
    const [title, description] = contentOf(notice);
    toast({
      title,
      description,
      ...(isForAdmins(kind) && { onOpen: () => onOpen(pages[kind]) }),
      ...(leadId !== null && {
        onOpen: () => void openLeadThread(leadId),
        lead: { id: leadId, name: formatPhone(notice.from) },
      }),
    });
  });
  // Entries for administrators are shown even while they are absent.
  const isForDesktop = (kind: NotificationEntry["kind"]) => (isForAdmins(kind) ? isOn : isNotifying === true);
  useEffect(() => {
    // After an absence, entries that came meanwhile are shown.
    if (isNotifying) void refetch();
  }, [isNotifying, refetch]);
  const claim = useEffectEvent((notice: NotificationEntry) => {
    if (!isForDesktop(notice.kind) && !isForToast(notice)) return;
    void claimNotification(notice).then((mine) => mine && notify(notice));
  });
  useEffect(() => {
    if (isNotifying === null) return;
    // Toasts replace each other, so the newest is shown last.
    for (const notice of [...(notices ?? [])].reverse()) claim(notice);
  }, [isNotifying, notices]);
  return null;
}
