ALTER TABLE "calls" RENAME COLUMN "talk_seconds" TO "duration_seconds";--> statement-breakpoint
ALTER TABLE "calls" RENAME COLUMN "dial_seconds" TO "dial_duration_seconds";--> statement-breakpoint
ALTER TABLE "calls" RENAME COLUMN "lead_leg_seconds" TO "lead_leg_duration_seconds";--> statement-breakpoint
ALTER TABLE "inbound_calls" RENAME COLUMN "talk_seconds" TO "duration_seconds";