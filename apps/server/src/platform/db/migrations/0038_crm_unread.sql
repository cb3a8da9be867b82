CREATE TABLE "crm_unread" (
	"lead_id" integer PRIMARY KEY NOT NULL,
	"run_id" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "crm_unread" ADD CONSTRAINT "crm_unread_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;