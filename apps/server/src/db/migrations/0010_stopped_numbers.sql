CREATE TABLE "stopped_numbers" (
	"number" text PRIMARY KEY NOT NULL,
	"stopped" boolean NOT NULL,
	"event_id" bigint,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
INSERT INTO "stopped_numbers" ("number", "stopped")
SELECT DISTINCT phone_e164, true FROM leads WHERE text_opt_out = 'stop' AND phone_e164 IS NOT NULL;
