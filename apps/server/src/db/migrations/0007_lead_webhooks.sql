CREATE TABLE "intake_keys" (
	"source" text PRIMARY KEY NOT NULL,
	"key_hash" text,
	"key_sealed" text,
	"key_hint" text,
	"key_created_at" timestamp with time zone,
	"key_created_by" integer,
	"previous_hash" text,
	"previous_sealed" text,
	"previous_until" timestamp with time zone,
	"client_secret_sealed" text,
	"organization_id" text
);
--> statement-breakpoint
CREATE TABLE "lead_delivery_items" (
	"id" serial PRIMARY KEY NOT NULL,
	"delivery_id" bigint NOT NULL,
	"source" text NOT NULL,
	"event_key" text,
	"outcome" text NOT NULL,
	"reason" text,
	"lead_id" integer
);
--> statement-breakpoint
CREATE TABLE "lead_origins" (
	"source" text NOT NULL,
	"external_id" text NOT NULL,
	"lead_id" integer,
	"properties" jsonb,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lead_origins_source_external_id_pk" PRIMARY KEY("source","external_id")
);
--> statement-breakpoint
ALTER TABLE "intake_keys" ADD CONSTRAINT "intake_keys_key_created_by_users_id_fk" FOREIGN KEY ("key_created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_delivery_items" ADD CONSTRAINT "lead_delivery_items_delivery_id_provider_events_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."provider_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_delivery_items" ADD CONSTRAINT "lead_delivery_items_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_origins" ADD CONSTRAINT "lead_origins_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lead_delivery_items_delivery_idx" ON "lead_delivery_items" USING btree ("delivery_id");--> statement-breakpoint
CREATE UNIQUE INDEX "lead_delivery_items_event_key" ON "lead_delivery_items" USING btree ("source","event_key") WHERE "lead_delivery_items"."event_key" is not null and "lead_delivery_items"."outcome" not in ('repeat', 'rejected', 'tested');--> statement-breakpoint
CREATE INDEX "lead_origins_lead_idx" ON "lead_origins" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "provider_events_deliveries_idx" ON "provider_events" USING btree ("kind","id" DESC NULLS LAST) WHERE "provider_events"."source" = 'lead-webhook';