/** All recorded limits, and the few that this product adds. Times in ms unless the name says otherwise. */
export const limits = {
  passwordMinLength: 6,
  passwordMaxLength: 256,
  smsMaxLength: 1600,
  smsPollMs: 5_000,
  /** How many days ahead an SMS can be scheduled, and how many can be scheduled per lead. */
  scheduledSmsDays: 90,
  scheduledSmsPerLead: 10,
  scheduledSmsListed: 500,
  audioLoadTimeoutMs: 5_000,
  sessionExpiredReloadMs: 3_000,
  leadUpdateRedirectMs: 2_000,
  loginReloadMs: 1_000,
  currentUserStaleMs: 60_000,
  currentUserKeptMs: 300_000,
  leadsStaleMs: 30_000,
  toastMs: 5_000,
  toastSwipePx: 50,
  toastViewportMaxPx: 420,
  tooltipOpenMs: 700,
  tooltipSkipMs: 300,
  submenuOpenMs: 100,
  typeaheadResetMs: 1_000,
  touchTargetPx: 44,
  importMaxBytes: 10 * 1024 * 1024,
  /** A file of `importMaxBytes` converted to CSV in UTF-8, where some characters take more bytes. */
  importCsvMaxBytes: 11 * 1024 * 1024,
  /** The same rows as JSON, which repeats each header in every record. */
  importBodyMaxBytes: 32 * 1024 * 1024,
  importMaxRows: 200_000,
  importMaxColumns: 200,
  importHeaderMaxLength: 200,
  /** Maximum length of a spreadsheet cell. */
  importCellMaxLength: 32_767,
  /** Maximum nesting depth of a record. */
  importDepthMax: 100,
  /** How long an import request waits for its job. */
  importWaitMs: 20_000,
  mobileBreakpointPx: 768,
  dialerDelaysSeconds: [3, 5, 10, 15, 30],
  dialerDelayDefaultSeconds: 5,
  /** Maximum number of leads in one session. */
  dialerLeadsMax: 5_000,
  /** How long a keystroke holds the countdown. */
  dialerTypingMs: 3_000,
  /** A session pauses after this time without a connected browser. */
  dialerListenMs: 30_000,
  /** A countdown overdue by more than this is not dialed automatically; the session pauses. */
  dialerOverdueMs: 15_000,
  /** How long the end of a call waits for the event that says whether the lead's phone rang. */
  dialerReportMs: 20_000,
  /** A lead called within this time is skipped. */
  dialerTriedMs: 60 * 60_000,
  /** How long a lead rests when a person puts it off. */
  retryRestDays: 30,
  /** Unanswered calls to the consultant's own phone, in a row, that pause the session. */
  dialerRepMisses: 2,
  /** Calls in a row that the provider could not make that pause the session. */
  dialerFailures: 3,
  simulatedCallMs: 3_000,
  simulatedCallSeconds: 30,
  meetingMinutes: [15, 30, 60, 90, 120],
  meetingDefaultMinutes: 30,
  recordingMatchMs: 5 * 60_000,
  weekDays: 7,
  monthDays: 30,
  skeletonCards: 6,
  conversionValueDefault: 0,
  recentActivityItems: 5,
  neverCalledRows: 10,
  callFrequencyRows: 15,
  recentClientDays: 30,
  highValue: 1_000,
  valueBadgeBlue: 1_000,
  valueBadgeGreen: 5_000,
  followUpCalls: 3,
  /** Maximum number of leads selected at once, to change or export. */
  leadSelectionMax: 1_000,
  /** Maximum number of leads assigned by one request. */
  assignLeadsMax: 500,
  /** Maximum number of leads that get an SMS at once. */
  bulkTextsMax: 200,
  /** How long effects outside the portal (SMS, CRM, calendar) wait after a bulk change. */
  bulkWaitMs: 10_000,
  /** How many days a merge of two leads can be undone. */
  mergeUndoDays: 7,
  /** How long a bulk change can be undone. */
  bulkUndoHours: 24,
  /** Maximum size of a stored picture; the browser scales it down first. */
  photoMaxBytes: 512 * 1024,
  photoDataUrlMaxLength: 710_000,
  /** Maximum length of a picture's longer side, in pixels. */
  photoPixels: 512,
  /** How long a one-time password link is valid. */
  passwordLinkHours: 48,
  /** Number of sources listed in the leads report. */
  reportSources: 20,
  adminSystemPollMs: 30_000,
  adminUsersPollMs: 15_000,
  activeMinutes: 5,
  recentMinutes: 30,
  productivityGreen: 80,
  productivityYellow: 60,
  /** Number of characters kept of an error body in plain text. */
  errorBodyCharacters: 200,
  nameMaxLength: 200,
  emailMaxLength: 254,
  phoneMaxLength: 40,
  notesMaxLength: 10_000,
  searchMaxLength: 200,
  sourceMaxLength: 200,
  /** Maximum number of a user's own SMS templates, and of shared ones. */
  smsTemplatesMax: 100,
  /** Maximum number of a user's own saved views, and of shared ones. */
  savedViewsMax: 50,
  savedViewQueryMaxLength: 1_000,
  listColumnsMax: 30,
  pageSize: 50,
  pageSizeMax: 500,
  /** Longest duration that a call log may report. */
  callMaxSeconds: 24 * 3600,
  /** How long a sync request waits for its job. */
  syncWaitMs: 20_000,
  /** `ghlSynced` is true only if the push is confirmed within this time. */
  crmPushWaitMs: 3_000,
  /** Maximum number of calls to one lead per day in the lead's time zone. */
  callAttemptsPerDay: 6,
  /** Maximum number of a user's recorded messages, and the length and size of each. */
  voicemailMessagesMax: 20,
  voicemailMessageSeconds: 60,
  voicemailMessageMaxBytes: 5 * 1024 * 1024,
  /** Maximum number of SMS to one lead per day in the lead's time zone. */
  textsPerDay: 10,
  repCallsPerMinute: 10,
  repCallsPerDay: 500,
  repTextsPerMinute: 20,
  repTextsPerDay: 500,
  overrideReasonMaxLength: 500,
  /** Administrators are notified of exports with more rows than this. */
  exportRowsUntold: 5_000,
  /** Description of how a lead consented to contact. */
  consentSourceMaxLength: 300,
  privateTokenAgeDaysMax: 3_650,
} as const;
