DROP INDEX "provider_events_open_idx";--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "crm_hash" bigint;--> statement-breakpoint
CREATE INDEX "provider_events_open_idx" ON "provider_events" USING btree ("source","received_at","id") WHERE "provider_events"."processed_at" is null;