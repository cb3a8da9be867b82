CREATE TABLE "voicemail_messages" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"language" text NOT NULL,
	"format" text NOT NULL,
	"seconds" integer NOT NULL,
	"sound" "bytea" NOT NULL,
	"is_default" boolean NOT NULL,
	"token" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "voicemail_messages_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "voicemail_recordings" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"language" text NOT NULL,
	"key_hash" text NOT NULL,
	"call_sid" text,
	"recording_sid" text,
	"message_id" integer,
	"failure" text,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"answered_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "leave_message" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "message_id" integer;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "message_name" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "message_asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "message_played_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "message_ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "dialer_sessions" ADD COLUMN "leave_message" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "organisation_settings" ADD COLUMN "voicemail_drop" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "leave_message" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "voicemail_messages" ADD CONSTRAINT "voicemail_messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voicemail_recordings" ADD CONSTRAINT "voicemail_recordings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voicemail_recordings" ADD CONSTRAINT "voicemail_recordings_message_id_voicemail_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."voicemail_messages"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "voicemail_messages_user_idx" ON "voicemail_messages" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "voicemail_messages_default_key" ON "voicemail_messages" USING btree ("user_id","language") WHERE "voicemail_messages"."is_default";--> statement-breakpoint
CREATE UNIQUE INDEX "voicemail_recordings_live_key" ON "voicemail_recordings" USING btree ("user_id") WHERE "voicemail_recordings"."ended_at" is null;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_message_id_voicemail_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."voicemail_messages"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "calls_message_idx" ON "calls" USING btree ("message_asked_at") WHERE "calls"."message_asked_at" is not null and "calls"."message_ended_at" is null;