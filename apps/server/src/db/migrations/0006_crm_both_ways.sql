CREATE TABLE "crm_run_contacts" (
	"run_id" integer NOT NULL,
	"contact_id" text NOT NULL,
	CONSTRAINT "crm_run_contacts_run_id_contact_id_pk" PRIMARY KEY("run_id","contact_id")
);
--> statement-breakpoint
ALTER TABLE "crm_sync_runs" ADD COLUMN "created" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "crm_sync_runs" ADD COLUMN "changed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "crm_sync_runs" ADD COLUMN "deleted" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "crm_sync_runs" ADD COLUMN "watermark" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "crm_note_id" text;--> statement-breakpoint
CREATE INDEX "crm_outbox_lead_idx" ON "crm_outbox" USING btree ("lead_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "crm_outbox_sent_idx" ON "crm_outbox" USING btree ("sent_at") WHERE "crm_outbox"."state" = 'sent';--> statement-breakpoint
CREATE INDEX "crm_sync_runs_kind_idx" ON "crm_sync_runs" USING btree ("kind","id" DESC NULLS LAST);