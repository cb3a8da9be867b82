ALTER TABLE "leads" ADD COLUMN "next_follow_up_time" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "next_follow_up_zone" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "next_follow_up_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "leads_follow_up_at_idx" ON "leads" USING btree ("assigned_to","next_follow_up_at") WHERE "leads"."next_follow_up_at" is not null;