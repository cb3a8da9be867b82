CREATE TABLE "organisation_settings" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"machine_detection" boolean DEFAULT true NOT NULL,
	CONSTRAINT "organisation_settings_one" CHECK ("organisation_settings"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "inbound_calls" ADD COLUMN "no_transcription" text;