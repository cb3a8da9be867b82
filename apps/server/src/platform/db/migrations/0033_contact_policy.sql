ALTER TABLE "calls" ADD COLUMN "overridden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "calls_number_idx" ON "calls" USING btree ("lead_number","requested_at" DESC NULLS LAST) WHERE "calls"."lead_ringing_at" is not null;
--> statement-breakpoint
-- Calls from before the code of a failed leg was known, that nobody answered for yet: nothing says that the number is dead. What a person
-- confirmed stays.
UPDATE "calls" c SET result = 'not_connected' FROM "call_logs" g
WHERE g.call_id = c.id AND NOT g.confirmed AND g.outcome = 'disconnected' AND c.result = 'disconnected' AND c.lead_sip_code IS NULL;--> statement-breakpoint
UPDATE "call_logs" g SET outcome = 'not_connected' FROM "calls" c
WHERE g.call_id = c.id AND NOT g.confirmed AND g.outcome = 'disconnected' AND c.lead_sip_code IS NULL;
