CREATE TABLE "crm_sync_pages" (
	"id" serial PRIMARY KEY NOT NULL,
	"run_id" integer NOT NULL,
	"contact_ids" text[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "crm_sync_pages" ADD CONSTRAINT "crm_sync_pages_run_id_crm_sync_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."crm_sync_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "crm_sync_pages_run_idx" ON "crm_sync_pages" USING btree ("run_id");