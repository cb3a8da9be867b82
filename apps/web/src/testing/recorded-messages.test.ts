import { describe, expect, it } from "vitest";
import { placeholderMessages } from "../app/placeholder-page.tsx";
import { shellMessages } from "../app/shell-messages.ts";
import { adminMessages, monitorMessages } from "../features/admin/messages.ts";
import { allLeadsMessages } from "../features/all-leads/messages.ts";
import { historyMessages, recordingsMessages } from "../features/call-history/messages.ts";
import { contactsMessages } from "../features/clients/messages.ts";
import { crmSyncMessages } from "../features/crm/messages.ts";
import { syncResultMessages } from "../features/crm/sync-messages.ts";
import { dialerMessages, dialerPageMessages } from "../features/dialer/messages.ts";
import { accountMessages } from "../features/identity/account/messages.ts";
import { authMessages } from "../features/identity/auth/messages.ts";
import { settingsMessages } from "../features/identity/settings/messages.ts";
import { faultMessages, importMessages } from "../features/imports/messages.ts";
import { apiDocsMessages } from "../features/integrations/api-docs-messages.ts";
import { integrationsMessages } from "../features/integrations/messages.ts";
import { webhookTestMessages } from "../features/lead-webhooks/messages.ts";
import { assignmentMessages } from "../features/leads/assignment-messages.ts";
import { noLeadsMessages } from "../features/leads/components/no-leads.tsx";
import { leadDialogMessages } from "../features/leads/dialog-messages.ts";
import { leadCardMessages, leadsMessages } from "../features/leads/messages.ts";
import { meetingMessages } from "../features/meetings/meeting-messages.ts";
import { calendarMessages } from "../features/meetings/messages.ts";
import { analyticsMessages } from "../features/metrics/analytics/messages.ts";
import { metricMessages, reportMessages } from "../features/metrics/reports/messages.ts";
import { smsButtonMessages } from "../features/sms/button-messages.ts";
import { smsMessages } from "../features/sms/messages.ts";
import { teamMessages } from "../features/team/messages.ts";
import { callDialogMessages } from "../features/telephony/call/dialog-messages.ts";
import { callMessages } from "../features/telephony/call/messages.ts";
import { playerMessages } from "../features/telephony/player/messages.ts";
import { errorMessages } from "../lib/errors.ts";
import { uiMessages } from "../ui/messages.ts";

/** The English catalogue contains the recorded texts word for word, including the Spanish ones. */
const RECORDED = [
  [
    authMessages,
    {
      signIn: "Sign In",
      signingIn: "Signing In...",
      contactAdministrator:
        "Contact your administrator if you need access or have forgotten your credentials.",
      errorTitle: "Error",
      missingFields: "Please enter both email and password",
      loginFailed: "Login Failed",
      invalidCredentials: "Invalid email or password",
    },
  ],
  [
    shellMessages,
    {
      dashboard: "Dashboard",
      callHistory: "Call History",
      reports: "Reports",
      calendar: "Calendar",
      integrations: "Integrations",
      tools: "Tools",
      allLeads: "All Leads",
      analytics: "Analytics",
      contactLists: "Contact Lists",
      accountSettings: "Account Settings",
      signOut: "Sign out",
      notFoundTitle: "404 Page Not Found",
    },
  ],
  [
    leadsMessages,
    {
      title: "My Assigned Leads",
      totalLeads: "Total Leads",
      contactedToday: "Contacted Today",
      followUpDates: "Fechas de Seguimiento",
      clearFilters: "Clear Filters",
      autoDialer: "Auto-Dialer",
      syncLeads: "Sync Leads",
    },
  ],
  [uiMessages, { retry: "Retry" }],
  [
    noLeadsMessages,
    {
      syncLeadsFromGhl: "Sync Leads from GHL",
      emptyTitle: "No leads found",
      addTestLeads: "Add Test Leads",
      sampleFailed: "Failed to create sample data.",
      loadErrorTitle: "Error Loading Leads",
    },
  ],
  [leadCardMessages, { callNow: "Call Now", callComplete: "Call Complete" }],
  [
    leadDialogMessages,
    {
      nameInvalidTitle: "Nombre Inválido",
      nameInvalidText: "Por favor ingrese un nombre válido",
      nameUpdatedTitle: "Nombre Actualizado",
      nameFailedTitle: "Error al Actualizar",
      nameFailedText: "No se pudo actualizar el nombre del lead",
      sessionTitle: "Sesión Expirada",
      sessionReload: "Tu sesión ha expirado. Por favor recarga la página e inicia sesión nuevamente.",
      sessionRedirect: "Tu sesión ha expirado. Por favor, inicia sesión nuevamente.",
      updateTitle: "Update Lead Status",
      updateFailedTitle: "Error al actualizar",
      updateFailedText: "Hubo un problema al actualizar el lead. Por favor, intenta de nuevo.",
      convertFailedTitle: "Conversion Failed",
      convertFailedText: "There was a problem converting the lead. Please try again.",
    },
  ],
  [
    callMessages,
    {
      noPhoneTitle: "No Phone Number",
      noPhoneText: "This lead does not have a phone number",
      initiatedTitle: "Call Initiated",
      initiatedText: "Conectando la llamada a tu número personal...",
      failedTitle: "Call Failed",
      failedText: "No se pudo iniciar la llamada",
      statusTitle: "Call Status",
      savedTitle: "Call Log Saved",
      saveFailedTitle: "Save Failed",
      saveFailedText: "Failed to save call log",
    },
  ],
  [callDialogMessages, { saving: "Saving..." }],
  [
    errorMessages,
    {
      missing_credentials: "Please enter both email and password",
      invalid_credentials: "Invalid email or password",
      lead_without_phone: "El lead no tiene número de teléfono",
      no_leads: "No hay leads disponibles para llamar",
    },
  ],
  [
    allLeadsMessages,
    {
      title: "All Leads",
      sync: "Sync Leads from GHL",
      notAvailable: "N/A",
      unassigned: "Unassigned",
      noDate: "No date",
      notAssigned: "Not assigned",
      recentActivity: "Recent Activity",
      loadErrorTitle: "Error Loading Leads",
      exportDoneTitle: "Export Complete",
      exportFailedTitle: "Export Failed",
    },
  ],
  [
    contactsMessages,
    {
      title: "Contact Lists",
      exportCsv: "Export CSV",
      exportJson: "Export JSON",
      exportDoneTitle: "Export Complete",
      exportFailedTitle: "Export Failed",
      recentConversions: "Recent Conversions",
      noContact: "No recent contact",
      emptyTitle: "No converted clients found",
    },
  ],
  [teamMessages, { loading: "Loading Team Access..." }],
  [
    placeholderMessages,
    {
      accountTitle: "Account Settings",
      accountSubtitle: "Account management and billing",
      integrationTitle: "Integration Settings",
      integrationSubtitle: "Configure system integrations",
      comingSoon: "This feature is coming soon",
    },
  ],
  [
    accountMessages,
    {
      title: "Account Settings",
      saving: "Saving...",
      cancel: "Cancel",
      changePassword: "Change Password",
      changing: "Changing...",
      noChangesTitle: "No Changes",
      noChangesText: "No changes detected to save.",
      profileUpdatedTitle: "Profile Updated",
      profileUpdatedText: "Your profile has been updated successfully.",
      profileFailed: "Failed to update profile.",
      passwordsDiffer: "New passwords don't match.",
      passwordTooShort: "Password must be at least 6 characters long.",
      passwordChangedTitle: "Password Changed",
      passwordChangedText: "Your password has been changed successfully.",
      passwordFailed: "Failed to change password. Please check your current password.",
    },
  ],
  [
    crmSyncMessages,
    {
      syncLeads: "Sync Leads",
      syncAll: "Sync All (Admin)",
    },
  ],
  [
    syncResultMessages,
    {
      completeTitle: "Sync Complete",
      failedTitle: "Sync Failed",
      failedText: "Failed to sync leads from GHL",
    },
  ],
  [apiDocsMessages, { openTitle: "The API is currently open without authentication." }],
  [
    integrationsMessages,
    {
      overviewTab: "Overview",
      importTab: "Data Import",
      webhooksTab: "Webhooks",
      apiTab: "API Docs",
    },
  ],
  [
    importMessages,
    {
      failedTitle: "Import failed",
      csvErrorTitle: "CSV parsing error",
      jsonErrorTitle: "JSON parsing error",
    },
  ],
  [
    faultMessages,
    {
      "no-rows": "CSV must have at least a header row and one data row",
      "invalid-json": "Invalid JSON format",
    },
  ],
  [
    settingsMessages,
    {
      title: "Settings",
      saveProfile: "Save Profile",
      themeLight: "Light",
      themeDark: "Dark",
      themeAuto: "Auto",
      phoneSavedTitle: "Número Actualizado",
      phoneFailedTitle: "Error al Actualizar",
      failedTitle: "Update Failed",
    },
  ],
  [
    historyMessages,
    {
      title: "Call History",
      historyTab: "Call History",
      recordingsTab: "Twilio Recordings",
      export: "Export",
      exportDoneTitle: "Export Complete",
      exportFailedTitle: "Export Failed",
      clear: "Clear",
      recordingAvailable: "Recording Available",
      emptyTitle: "No call history found",
      emptyFiltered: "Try adjusting your filters",
      emptyUnfiltered: "Start making calls to see your history here",
      leadNumber: "Lead #{id}",
    },
  ],
  [
    recordingsMessages,
    {
      unknownLead: "Unknown Lead",
      notAvailable: "N/A",
      emptyTitle: "No recordings found",
      emptyText: "Recordings from Twilio calls will appear here",
    },
  ],
  [
    playerMessages,
    {
      loadError: "Error loading audio",
      timeout: "Error al cargar la grabación",
      playback: "Error al reproducir",
      signed_out: "Por favor inicia sesión para escuchar las grabaciones",
      check_failed: "Error de conexión",
    },
  ],
  [
    dialerMessages,
    {
      title: "Auto-Dialer",
      idle: "Inactivo",
      active: "Activo",
      paused: "Pausado",
      completed: "Completado",
      failedTitle: "Error en llamada",
      failedText: "No se pudo llamar a {name}",
      noLeadsTitle: "Sin leads",
      noLeadsText: "No hay leads disponibles para llamar",
    },
  ],
  [dialerPageMessages, { title: "Auto Dialer" }],
  [smsButtonMessages, { sendSms: "Send SMS" }],
  [smsMessages, { errorTitle: "Error", sendFailed: "Failed to send SMS" }],
  [
    webhookTestMessages,
    {
      refusedTitle: "Webhook test failed",
      unreachableTitle: "Test failed",
      unreachableText: "Could not connect to webhook endpoint.",
    },
  ],
  [
    assignmentMessages,
    {
      missingTitle: "Missing Information",
      missingText: "Please select a sales representative.",
      failedText: "Failed to assign/transfer lead. Please try again.",
    },
  ],
  [
    calendarMessages,
    {
      schedule: "Schedule Meeting",
      today: "Today",
      tomorrow: "Tomorrow",
      join: "Join Meeting",
      edit: "Edit",
      delete: "Delete",
      deleteQuestion: "Are you sure you want to delete this event?",
    },
  ],
  [
    meetingMessages,
    {
      type_google: "Google",
      type_outlook: "Outlook",
      type_local: "Local",
      missingTitle: "Missing Information",
      missingText: "Please fill in all required fields.",
      saveFailed: "Failed to create/update calendar event: {message}",
      deleteFailed: "Failed to delete event: {message}",
    },
  ],
  [
    reportMessages,
    {
      title: "Reports & Analytics",
      export: "Export",
      exportDoneTitle: "Export Complete",
      exportFailedTitle: "Export Failed",
      trend: "{change} from last period",
    },
  ],
  [
    metricMessages,
    {
      totalCalls: "Total Calls",
      answeredCalls: "Answered Calls",
      conversionRate: "Conversion Rate",
      talkTime: "Talk Time",
      statuses: "Lead Status Distribution",
      outcomes: "Call Outcomes",
      activity: "Daily Activity",
    },
  ],
  [
    analyticsMessages,
    {
      title: "Call Analytics",
      firstContact: "Priority for first contact",
      scheduleFollowUp: "Schedule follow-up",
      wellEngaged: "Well engaged",
      continueCalling: "Continue calling",
      emptyTitle: "No Analytics Data",
      greatTitle: "Great work!",
    },
  ],
  [adminMessages, { logout: "Salir", loggedOutTitle: "Sesión Cerrada" }],
  [monitorMessages, { active: "Activo", recent: "Reciente", inactive: "Inactivo", online: "En línea" }],
] as const;

describe("recorded texts", () => {
  it.each(
    RECORDED.flatMap(([messages, recorded]) =>
      Object.entries(recorded).map(([key, text]) => ({ namespace: messages.namespace, key, text, messages })),
    ),
  )("$namespace.$key reads as recorded", ({ messages, key, text }) => {
    const pairs: Record<string, readonly string[]> = messages.pairs;
    expect(pairs[key]?.[0]).toBe(text);
  });
});
