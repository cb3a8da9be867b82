CREATE TABLE "call_alarms" (
	"caller_number" text PRIMARY KEY NOT NULL,
	"raised_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "lead_sip_code" integer;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "caller_number" text;