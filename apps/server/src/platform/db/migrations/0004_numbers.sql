ALTER TABLE "leads" ADD COLUMN "number_fault" text;--> statement-breakpoint
CREATE UNIQUE INDEX "calls_live_number_key" ON "calls" USING btree ("lead_number") WHERE "calls"."state" <> 'ended';