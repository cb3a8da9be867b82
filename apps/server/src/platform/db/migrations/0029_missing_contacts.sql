CREATE TABLE "crm_missing" (
	"run_id" integer NOT NULL,
	"lead_id" integer NOT NULL,
	"left_at" timestamp with time zone,
	CONSTRAINT "crm_missing_run_id_lead_id_pk" PRIMARY KEY("run_id","lead_id")
);
--> statement-breakpoint
ALTER TABLE "crm_sync_runs" ADD COLUMN "read_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "crm_sync_runs" ADD COLUMN "decision" text;--> statement-breakpoint
ALTER TABLE "crm_missing" ADD CONSTRAINT "crm_missing_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "crm_missing_lead_idx" ON "crm_missing" USING btree ("lead_id");