DROP INDEX "dialer_items_lead_key";--> statement-breakpoint
ALTER TABLE "dialer_items" ADD COLUMN "listed_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "dialer_items_lead_key" ON "dialer_items" USING btree ("session_id","lead_id") WHERE not "dialer_items"."merged" and "dialer_items"."listed_at" is null;