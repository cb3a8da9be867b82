CREATE TABLE "scheduled_sms" (
	"id" serial PRIMARY KEY NOT NULL,
	"lead_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"owner_id" integer,
	"body" text NOT NULL,
	"template_version_id" integer,
	"send_at" timestamp with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"client_ref" uuid NOT NULL,
	"text_ref" uuid DEFAULT gen_random_uuid() NOT NULL,
	"next_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "scheduled_sms_client_ref_unique" UNIQUE("client_ref")
);
--> statement-breakpoint
ALTER TABLE "scheduled_sms" ADD CONSTRAINT "scheduled_sms_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_sms" ADD CONSTRAINT "scheduled_sms_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_sms" ADD CONSTRAINT "scheduled_sms_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_sms" ADD CONSTRAINT "scheduled_sms_template_version_id_sms_template_versions_id_fk" FOREIGN KEY ("template_version_id") REFERENCES "public"."sms_template_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "scheduled_sms_due_idx" ON "scheduled_sms" USING btree ("next_at") WHERE "scheduled_sms"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "scheduled_sms_lead_idx" ON "scheduled_sms" USING btree ("lead_id") WHERE "scheduled_sms"."state" in ('waiting', 'sending', 'held');