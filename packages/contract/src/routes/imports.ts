import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import { duplicateRules, importResultSchema, importSchema } from "../entities/import.ts";
import { leadFields } from "../lead-headers.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

const importParams = z.object({ id: idSchema });

const leadExample = {
  name: "Inés Duarte",
  email: "ines@example.com",
  phone: "+1 787 555 0107",
  company: "Solar del Este",
  status: "new",
  priority: "high",
  "deal value": "$1,250.00",
};

/**
 * Imports leads as one job. The rows are stored and then processed in batches; the request waits up to 20 s and returns the counts, with
 * `running` if they are partial. Rows are free-form records (header aliases: lead-headers.ts; unknown headers are stored with the lead), or
 * arrays of cells with `columns`. Existing leads (same email, or without one the same phone) are skipped, or updated with `duplicates:
 * "update"`. Leads imported by a consultant are assigned to them; others are unassigned. A body of `text/csv` (UTF-8, comma-separated, with
 * a header row as `columns`) is equivalent but smaller; the other fields are then in the query string. Errors: `invalid`, `too_large` (JSON
 * over `limits.importBodyMaxBytes`, CSV over `limits.importCsvMaxBytes`), `unauthenticated` if a session or key is required.
 */
export const importLeads = defineRoute({
  method: "POST",
  path: "/api/import/leads",
  summary: "Import leads (array of free-form records)",
  /** The JSON body's other fields, for a body of `text/csv`. */
  query: z.object({
    sourceSystem: z.string().optional(),
    fileName: z.string().optional(),
    duplicates: z.string().optional(),
    /** As a JSON string. */
    mapping: z.string().optional(),
  }),
  body: z
    .object({
      leads: z.array(z.unknown()).min(1, "There are no leads to import").max(limits.importMaxRows),
      sourceSystem: text(limits.nameMaxLength).default("API Import"),
      fileName: text(limits.nameMaxLength).optional(),
      duplicates: z.enum(duplicateRules).default("skip"),
      /** Column headers if the rows are arrays; must be unique. */
      columns: z.array(text(limits.importHeaderMaxLength)).min(1).max(limits.importMaxColumns).optional(),
      /** Maps a header to a field to override the detected one; null stores the column with the lead under its own name. */
      mapping: z.record(text(limits.importCellMaxLength), z.enum(leadFields).nullable()).optional(),
    })
    .meta({
      example: {
        leads: [
          leadExample,
          { "Nombre completo": "José Núñez", Correo: "jose@example.com", Teléfono: "+1 212 555 0151" },
        ],
        sourceSystem: "API Import",
      },
    }),
  response: importResultSchema,
});

/**
 * Imports one lead, a free-form record as in `importLeads`, and returns the result; `imported` is 1 if it was created. Errors: `invalid`
 * with the reason.
 */
export const importLead = defineRoute({
  method: "POST",
  path: "/api/import/lead",
  summary: "Import one lead (free-form record)",
  body: z.record(z.string(), z.unknown()).meta({ example: leadExample }),
  response: z.object({
    imported: z.number(),
    errors: z.number(),
    details: z.object({ failed: z.array(z.string()) }),
    outcome: z.enum(["created", "skipped"]),
    /** 1 if the new lead's phone number cannot be dialed; it is stored as received. */
    unreadablePhones: z.number(),
    leadId: z.number(),
  }),
});

/** The last imports, newest first: the user's own; for administrators, everyone's. */
export const listImports = defineRoute({
  method: "GET",
  path: "/api/imports",
  summary: "Recent imports",
  response: z.array(importSchema),
});

/**
 * One import and its counts. For its sender, including the holder of an API key who follows a long import, and administrators. Errors:
 * `not_found`, also for other users' imports.
 */
export const getImport = defineRoute({
  method: "GET",
  path: "/api/imports/:id",
  summary: "One import",
  params: importParams,
  response: importSchema,
});

/**
 * The failed rows as received, with a column for the reason, as CSV protected against formula injection. They are stored for 90 days.
 * Errors: `not_found`, also for other users' imports.
 */
export const exportFailedRows = defineRoute({
  method: "GET",
  path: "/api/imports/:id/failed.csv",
  summary: "Rejected rows of an import (CSV)",
  params: importParams,
  response: z.unknown(),
});
