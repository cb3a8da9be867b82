DROP INDEX "crm_outbox_open_idx";--> statement-breakpoint
ALTER TABLE "crm_outbox" ADD COLUMN "user_id" integer;--> statement-breakpoint
ALTER TABLE "crm_outbox" ADD COLUMN "retriable" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "crm_outbox" ADD COLUMN "claimed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "crm_sync_runs" ADD COLUMN "lease" text;--> statement-breakpoint
ALTER TABLE "crm_sync_runs" ADD COLUMN "heartbeat_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "crm_sync_runs" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "ai_recording_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "crm_outbox" ADD CONSTRAINT "crm_outbox_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "crm_outbox_open_idx" ON "crm_outbox" USING btree ("lead_id","id") WHERE "crm_outbox"."state" in ('pending', 'failed');