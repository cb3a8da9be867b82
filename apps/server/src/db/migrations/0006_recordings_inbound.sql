DROP INDEX "recordings_lead_idx";--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "recording_tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "recording_asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "inbound_calls" ADD COLUMN "facts" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "inbound_calls" ADD COLUMN "recording_tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "inbound_calls" ADD COLUMN "recording_asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "recordings" ADD COLUMN "user_id" integer;--> statement-breakpoint
ALTER TABLE "recordings" ADD COLUMN "match_tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "recordings" ADD COLUMN "matched_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "calls_ended_idx" ON "calls" USING btree ("ended_at") WHERE "calls"."state" = 'ended';--> statement-breakpoint
CREATE INDEX "recordings_user_idx" ON "recordings" USING btree ("user_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "recordings_unmatched_idx" ON "recordings" USING btree ("created_at") WHERE "recordings"."call_id" is null and "recordings"."inbound_call_id" is null;--> statement-breakpoint
CREATE INDEX "recordings_lead_idx" ON "recordings" USING btree ("lead_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);