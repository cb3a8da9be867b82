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
 * Takes leads in as one job: the rows are stored, then worked in batches; the request waits up to 20 s and answers the figures, or those
 * so far with `running`. Rows are free-form records (header aliases: lead-headers.ts; what is unknown is kept with the lead), or with
 * `columns` arrays of cells. Leads that are there already (same e-mail, or without one the same phone) are skipped, or with
 * `duplicates: "update"` updated. A consultant's leads are theirs, others nobody's.
 * A body of `text/csv` (UTF-8, commas, a header whose names are `columns`) says the same in less; the other fields stand in the address.
 * Errors: `invalid`, `too_large` (JSON over `limits.importBodyMaxBytes`, CSV over `limits.importCsvMaxBytes`), `unauthenticated` where a
 * session or key is needed.
 */
export const importLeads = defineRoute({
  method: "POST",
  path: "/api/import/leads",
  summary: "Import leads (array of free-form records)",
  /** What the JSON body holds beside its rows, for a body of `text/csv`. */
  query: z.object({
    sourceSystem: z.string().optional(),
    fileName: z.string().optional(),
    duplicates: z.string().optional(),
    /** As JSON. */
    mapping: z.string().optional(),
  }),
  body: z
    .object({
      leads: z.array(z.unknown()).min(1, "There are no leads to import").max(limits.importMaxRows),
      sourceSystem: text(limits.nameMaxLength).default("API Import"),
      fileName: text(limits.nameMaxLength).optional(),
      duplicates: z.enum(duplicateRules).default("skip"),
      /** Headers of the cells where rows are arrays; each once. */
      columns: z.array(text(limits.importHeaderMaxLength)).min(1).max(limits.importMaxColumns).optional(),
      /** Field by header where the detected one is not wanted; null keeps the column with the lead under its own name. */
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
 * Takes one lead in, a free-form record as in `importLeads`. Answers what became of it; `imported` is 1 where it was made.
 * Errors: `invalid` with the reason.
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
    /** 1 where the new lead's phone cannot be called: it is kept as it came. */
    unreadablePhones: z.number(),
    leadId: z.number(),
  }),
});

/** The last imports, newest first: one's own, for administrators everyone's. */
export const listImports = defineRoute({
  method: "GET",
  path: "/api/imports",
  summary: "The last imports",
  response: z.array(importSchema),
});

/**
 * One import and its figures, for its sender (a key's holder too, to follow a long one) and administrators.
 * Errors: `not_found`, also for another's.
 */
export const getImport = defineRoute({
  method: "GET",
  path: "/api/imports/:id",
  summary: "One import",
  params: importParams,
  response: importSchema,
});

/**
 * The rows that did not go in, as they came, with a column for the reason: CSV, safe from formulas. They are kept 90 days.
 * Errors: `not_found`, also for another's.
 */
export const exportFailedRows = defineRoute({
  method: "GET",
  path: "/api/imports/:id/failed.csv",
  summary: "Rows of an import that did not go in (CSV)",
  params: importParams,
  response: z.unknown(),
});
