/** Every recorded number under one name, and the few limits this product adds. Times in ms unless the name says otherwise. */
export const limits = {
  passwordMinLength: 6,
  passwordMaxLength: 256,
  smsMaxLength: 1600,
  smsPollMs: 5_000,
  /** A text goes out so many days ahead at most, and so many wait for one lead. */
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
  /** A file of `importMaxBytes` as CSV in UTF-8, where some letters take more bytes than before. */
  importCsvMaxBytes: 11 * 1024 * 1024,
  /** The same rows as JSON: the recorded records repeat each header in every row. */
  importBodyMaxBytes: 32 * 1024 * 1024,
  importMaxRows: 200_000,
  importMaxColumns: 200,
  importHeaderMaxLength: 200,
  /** What a cell of a spreadsheet can hold. */
  importCellMaxLength: 32_767,
  /** Lists and objects within one another that a record may hold. */
  importDepthMax: 100,
  /** An import request waits this long for its job. */
  importWaitMs: 20_000,
  mobileBreakpointPx: 768,
  dialerDelaysSeconds: [3, 5, 10, 15, 30],
  dialerDelayDefaultSeconds: 5,
  /** Leads one session takes. */
  dialerLeadsMax: 5_000,
  /** A keystroke holds the countdown for so long. */
  dialerTypingMs: 3_000,
  /** Without a browser that listens for so long the session pauses. */
  dialerListenMs: 30_000,
  /** A countdown that ended so long ago is not dialled by itself any more: the session pauses. */
  dialerOverdueMs: 15_000,
  /** A call's end waits so long for the event that says whether the lead's phone rang. */
  dialerNewsMs: 20_000,
  /** A lead that was tried so recently is passed over. */
  dialerTriedMs: 60 * 60_000,
  /** A lead that a person puts off rests for so long. */
  retryRestDays: 30,
  /** Unanswered rings of the consultant's own phone, in a row, that pause the session. */
  dialerRepMisses: 2,
  /** Calls in a row that the provider could not make pause it too. */
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
  /** Leads that are selected at once, to change or export them. */
  leadSelectionMax: 1_000,
  /** Leads that one request assigns one by one. */
  assignLeadsMax: 500,
  /** Leads that get a text at once. */
  bulkTextsMax: 200,
  /** After a change of many leads, its effects outside of the portal (SMS, CRM, calendar) wait this long. */
  bulkWaitMs: 10_000,
  /** A merge of two leads can be undone for so many days. */
  mergeUndoDays: 7,
  /** An act on many leads can be taken back for so long. */
  bulkUndoHours: 24,
  /** What is kept of a picture; the browser makes it smaller first. */
  photoMaxBytes: 512 * 1024,
  photoDataUrlMaxLength: 710_000,
  /** Pixels of a picture's longer side. */
  photoPixels: 512,
  /** A one-time link to choose a password ends after so long. */
  passwordLinkHours: 48,
  /** Sources that the report of leads names. */
  reportSources: 20,
  adminSystemPollMs: 30_000,
  adminUsersPollMs: 15_000,
  activeMinutes: 5,
  recentMinutes: 30,
  productivityGreen: 80,
  productivityYellow: 60,
  /** Characters kept of a text error body. */
  errorBodyCharacters: 200,
  nameMaxLength: 200,
  emailMaxLength: 254,
  phoneMaxLength: 40,
  notesMaxLength: 10_000,
  searchMaxLength: 200,
  sourceMaxLength: 200,
  /** Saved views that one person keeps, and that administrators keep for everybody. */
  /** Of one's own, and shared ones. */
  smsTemplatesMax: 100,
  savedViewsMax: 50,
  savedViewQueryMaxLength: 1_000,
  listColumnsMax: 30,
  pageSize: 50,
  pageSizeMax: 500,
  /** Longest call that a log may claim. */
  callMaxSeconds: 24 * 3600,
  /** A sync request waits this long for its job. */
  syncWaitMs: 20_000,
  /** `ghlSynced` is true only when the push was confirmed within this time. */
  crmPushWaitMs: 3_000,
  /** Calls that may ring one lead in one of the lead's days. */
  callAttemptsPerDay: 6,
  /** Recorded messages of one person, and how long and large each may be. */
  voicemailMessagesMax: 20,
  voicemailMessageSeconds: 60,
  voicemailMessageMaxBytes: 5 * 1024 * 1024,
  /** Texts one lead may get in one of the lead's days. */
  textsPerDay: 10,
  repCallsPerMinute: 10,
  repCallsPerDay: 500,
  repTextsPerMinute: 20,
  repTextsPerDay: 500,
  overrideReasonMaxLength: 500,
  /** Administrators are told of exports with more rows. */
  exportRowsUntold: 5_000,
  /** How a lead agreed to be contacted, in words. */
  consentSourceMaxLength: 300,
  privateTokenAgeDaysMax: 3_650,
} as const;
