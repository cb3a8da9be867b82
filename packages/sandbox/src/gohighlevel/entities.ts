export type DndStatus = "active" | "inactive" | "permanent";

export interface CustomFieldValue {
  id: string;
  value: unknown;
}

/** A contact as stored; `raw` replaces it in search results if a test set a malformed one. */
export interface Contact {
  id: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  companyName: string | null;
  address1?: string | null;
  city?: string | null;
  state?: string | null;
  postalCode?: string | null;
  country?: string | null;
  website?: string | null;
  timezone?: string | null;
  gender?: string | null;
  dateOfBirth?: string | null;
  source: string | null;
  assignedTo: string | null;
  tags: string[];
  dnd: boolean;
  dndSettings: Record<string, { status: DndStatus; message?: string; code?: string }>;
  inboundDndSettings?: Record<string, unknown>;
  customFields: CustomFieldValue[];
  dateAdded: string;
  dateUpdated: string;
  raw?: unknown;
}

export interface CustomField {
  id: string;
  name: string;
  fieldKey: string;
  dataType: string;
  placeholder: string;
  position: number;
  picklistOptions?: string[];
  model: "contact" | "opportunity";
}

export interface Note {
  id: string;
  contactId: string;
  userId?: string;
  title?: string;
  /** Plain text from the API, or HTML from the vendor's own editor. */
  body: string;
  /** The text without markup, for a note from the editor. */
  bodyText?: string;
  dateAdded: string;
}

/** One call in a conversation. Calls of the AI agent have source 'workflow' and no user. */
export interface CallMessage {
  id: string;
  conversationId: string;
  contactId: string;
  direction: "inbound" | "outbound";
  dateAdded: string;
  source: "workflow" | "app";
  userId?: string;
  callStatus: "completed" | "busy" | "no-answer" | "failed" | "voicemail";
  durationSeconds: number;
  hasRecording: boolean;
}

export interface Conversation {
  id: string;
  contactId: string;
}
