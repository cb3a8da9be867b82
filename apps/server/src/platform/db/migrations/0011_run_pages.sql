CREATE TABLE "crm_run_pages" (
	"id" serial PRIMARY KEY NOT NULL,
	"run_id" integer NOT NULL,
	"contact_ids" text[] NOT NULL
);
--> statement-breakpoint
-- Runs under way go on with what they have met.
INSERT INTO "crm_run_pages" ("run_id", "contact_ids") SELECT "run_id", array_agg("contact_id") FROM "crm_run_contacts" GROUP BY "run_id";--> statement-breakpoint
DROP TABLE "crm_run_contacts" CASCADE;--> statement-breakpoint
CREATE INDEX "crm_run_pages_run_idx" ON "crm_run_pages" USING btree ("run_id");