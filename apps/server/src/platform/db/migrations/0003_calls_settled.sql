ALTER TABLE "calls" ADD COLUMN "checked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "settled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "calls_open_idx" ON "calls" USING btree ("last_news_at") WHERE not "calls"."settled";