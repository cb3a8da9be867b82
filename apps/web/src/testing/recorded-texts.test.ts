import { describe, expect, it } from "vitest";
import { shellTexts } from "../app/shell-texts.ts";
import { accountTexts } from "../features/account/texts.ts";
import { adminTexts, monitorTexts } from "../features/admin/texts.ts";
import { allLeadsTexts } from "../features/all-leads/texts.ts";
import { analyticsTexts } from "../features/analytics/texts.ts";
import { authTexts } from "../features/auth/texts.ts";
import { meetingTexts } from "../features/calendar/meeting-texts.ts";
import { calendarTexts } from "../features/calendar/texts.ts";
import { callDialogTexts } from "../features/call-dialog/dialog-texts.ts";
import { callTexts } from "../features/call-dialog/texts.ts";
import { historyTexts, recordingsTexts } from "../features/call-history/texts.ts";
import { contactsTexts } from "../features/contacts/texts.ts";
import { crmSyncTexts } from "../features/crm-sync/texts.ts";
import { faultTexts, importTexts } from "../features/data-import/texts.ts";
import { dialerPageTexts } from "../features/dialer/page-texts.ts";
import { dialerTexts } from "../features/dialer/texts.ts";
import { apiDocsTexts } from "../features/integrations/api-docs-texts.ts";
import { integrationsTexts } from "../features/integrations/texts.ts";
import { webhookTestTexts } from "../features/lead-webhooks/texts.ts";
import { assignmentTexts } from "../features/leads/assignment-texts.ts";
import { leadDialogTexts } from "../features/leads/dialog-texts.ts";
import { leadCardTexts, leadsTexts } from "../features/leads/texts.ts";
import { placeholderTexts } from "../features/placeholders/texts.ts";
import { playerTexts } from "../features/player/texts.ts";
import { figureTexts, reportTexts } from "../features/reports/texts.ts";
import { settingsTexts } from "../features/settings/texts.ts";
import { smsButtonTexts } from "../features/sms/button-texts.ts";
import { smsTexts } from "../features/sms/texts.ts";
import { teamTexts } from "../features/team/texts.ts";
import { errorTexts } from "../lib/error-texts.ts";

/** The English catalogue holds the recorded texts of the specification word for word, the Spanish ones included. */
const RECORDED = [
  [
    authTexts,
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
    shellTexts,
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
    leadsTexts,
    {
      title: "My Assigned Leads",
      totalLeads: "Total Leads",
      contactedToday: "Contacted Today",
      followUpDates: "Fechas de Seguimiento",
      clearFilters: "Clear Filters",
      autoDialer: "Auto-Dialer",
      syncLeadsFromGhl: "Sync Leads from GHL",
      emptyTitle: "No leads found",
      addTestLeads: "Add Test Leads",
      sampleFailed: "Failed to create sample data.",
      loadErrorTitle: "Error Loading Leads",
      retry: "Retry",
    },
  ],
  [leadCardTexts, { callNow: "Call Now", callComplete: "Call Complete" }],
  [
    leadDialogTexts,
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
    callTexts,
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
  [callDialogTexts, { saving: "Saving..." }],
  [
    errorTexts,
    {
      missing_credentials: "Please enter both email and password",
      invalid_credentials: "Invalid email or password",
      lead_without_phone: "El lead no tiene número de teléfono",
      no_leads: "No hay leads disponibles para llamar",
    },
  ],
  [
    allLeadsTexts,
    {
      title: "All Leads",
      sync: "Sync Leads from GHL",
      notAvailable: "N/A",
      unassigned: "Unassigned",
      noDate: "No date",
      notAssigned: "Not assigned",
      recentActivity: "Recent Activity",
      loadErrorTitle: "Error Loading Leads",
      retry: "Retry",
      exportDoneTitle: "Export Complete",
      exportFailedTitle: "Export Failed",
      assignFailedText: "Failed to assign/transfer lead. Please try again.",
    },
  ],
  [
    contactsTexts,
    {
      title: "Contact Lists",
      exportCsv: "Export CSV",
      exportJson: "Export JSON",
      exportDoneTitle: "Export Complete",
      exportFailedTitle: "Export Failed",
      recentConversions: "Recent Conversions",
      noContact: "No recent contact",
      retry: "Retry",
      emptyTitle: "No converted clients found",
    },
  ],
  [teamTexts, { loading: "Loading Team Access..." }],
  [
    placeholderTexts,
    {
      accountTitle: "Account Settings",
      accountSubtitle: "Account management and billing",
      integrationTitle: "Integration Settings",
      integrationSubtitle: "Configure system integrations",
      comingSoon: "This feature is coming soon",
    },
  ],
  [
    accountTexts,
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
    crmSyncTexts,
    {
      syncLeads: "Sync Leads",
      syncAll: "Sync All (Admin)",
      completeTitle: "Sync Complete",
      failedTitle: "Sync Failed",
      failedText: "Failed to sync leads from GHL",
    },
  ],
  [apiDocsTexts, { openTitle: "The API is currently open without authentication." }],
  [
    integrationsTexts,
    {
      overviewTab: "Overview",
      importTab: "Data Import",
      webhooksTab: "Webhooks",
      apiTab: "API Docs",
    },
  ],
  [
    importTexts,
    {
      failedTitle: "Import failed",
      csvErrorTitle: "CSV parsing error",
      jsonErrorTitle: "JSON parsing error",
    },
  ],
  [
    faultTexts,
    {
      "no-rows": "CSV must have at least a header row and one data row",
      "invalid-json": "Invalid JSON format",
    },
  ],
  [
    settingsTexts,
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
    historyTexts,
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
    recordingsTexts,
    {
      unknownLead: "Unknown Lead",
      notAvailable: "N/A",
      emptyTitle: "No recordings found",
      emptyText: "Recordings from Twilio calls will appear here",
    },
  ],
  [
    playerTexts,
    {
      loadError: "Error loading audio",
      timeout: "Error al cargar la grabación",
      playback: "Error al reproducir",
      signed_out: "Por favor inicia sesión para escuchar las grabaciones",
      check_failed: "Error de conexión",
    },
  ],
  [
    dialerTexts,
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
  [dialerPageTexts, { title: "Auto Dialer" }],
  [smsButtonTexts, { sendSms: "Send SMS" }],
  [smsTexts, { errorTitle: "Error", sendFailed: "Failed to send SMS" }],
  [
    webhookTestTexts,
    {
      refusedTitle: "Webhook test failed",
      unreachableTitle: "Test failed",
      unreachableText: "Could not connect to webhook endpoint.",
    },
  ],
  [
    assignmentTexts,
    {
      missingTitle: "Missing Information",
      missingText: "Please select a sales representative.",
      failedText: "Failed to assign/transfer lead. Please try again.",
    },
  ],
  [
    calendarTexts,
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
    meetingTexts,
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
    reportTexts,
    {
      title: "Reports & Analytics",
      export: "Export",
      exportDoneTitle: "Export Complete",
      exportFailedTitle: "Export Failed",
      trend: "{change} from last period",
      retry: "Retry",
    },
  ],
  [
    figureTexts,
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
    analyticsTexts,
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
  [adminTexts, { logout: "Salir", loggedOutTitle: "Sesión Cerrada" }],
  [monitorTexts, { active: "Activo", recent: "Reciente", inactive: "Inactivo", online: "En línea" }],
] as const;

describe("recorded texts", () => {
  it.each(
    RECORDED.flatMap(([texts, recorded]) =>
      Object.entries(recorded).map(([key, text]) => ({ namespace: texts.namespace, key, text, texts })),
    ),
  )("$namespace.$key reads as recorded", ({ texts, key, text }) => {
    const pairs: Record<string, readonly string[]> = texts.pairs;
    expect(pairs[key]?.[0]).toBe(text);
  });
});
