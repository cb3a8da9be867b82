ALTER TABLE "users" ADD COLUMN "single_keys" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "leads_notes_idx" ON "leads" USING gin ("notes" gin_trgm_ops) WHERE "leads"."notes" is not null;--> statement-breakpoint
CREATE INDEX "messages_body_idx" ON "messages" USING gin ("body" gin_trgm_ops);