CREATE TABLE "bulk_change_items" (
	"change_id" integer NOT NULL,
	"lead_id" integer NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"before" jsonb,
	"version_before" integer,
	"version" integer,
	"outbox_ids" integer[],
	"meeting_ids" integer[],
	"text_ref" uuid,
	CONSTRAINT "bulk_change_items_change_id_lead_id_pk" PRIMARY KEY("change_id","lead_id")
);
--> statement-breakpoint
CREATE TABLE "bulk_changes" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"client_ref" uuid NOT NULL,
	"kind" text NOT NULL,
	"edit" jsonb NOT NULL,
	"asked" integer NOT NULL,
	"state" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"waits_until" timestamp with time zone NOT NULL,
	"next_at" timestamp with time zone,
	"undone_at" timestamp with time zone,
	"undone_by" integer,
	CONSTRAINT "bulk_changes_client_ref_unique" UNIQUE("client_ref")
);
--> statement-breakpoint
ALTER TABLE "crm_outbox" ADD COLUMN "held_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "bulk_change_items" ADD CONSTRAINT "bulk_change_items_change_id_bulk_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."bulk_changes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_change_items" ADD CONSTRAINT "bulk_change_items_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_changes" ADD CONSTRAINT "bulk_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_changes" ADD CONSTRAINT "bulk_changes_undone_by_users_id_fk" FOREIGN KEY ("undone_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bulk_change_items_lead_idx" ON "bulk_change_items" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "bulk_change_items_sms_idx" ON "bulk_change_items" USING btree ("change_id","lead_id") WHERE "bulk_change_items"."state" in ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX "bulk_changes_at_idx" ON "bulk_changes" USING btree ("at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "bulk_changes_due_idx" ON "bulk_changes" USING btree ("next_at") WHERE "bulk_changes"."next_at" is not null;