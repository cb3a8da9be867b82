CREATE TABLE "lines" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"end_reason" text,
	"failure" text,
	"rep_number" text NOT NULL,
	"rep_line" text NOT NULL,
	"call_sid" text,
	"step" text DEFAULT 'ask' NOT NULL,
	"step_position" integer,
	"briefed_position" integer,
	"call_id" integer,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"asked_at" timestamp with time zone,
	"connected_at" timestamp with time zone,
	"end_requested_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"last_work_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_event_at" timestamp with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "lines_call_sid_unique" UNIQUE("call_sid")
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "line_id" integer;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "lead_alone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "dialer_sessions" ADD COLUMN "line_mode" text DEFAULT 'each_call' NOT NULL;--> statement-breakpoint
ALTER TABLE "dialer_sessions" ADD COLUMN "brief" text DEFAULT 'short' NOT NULL;--> statement-breakpoint
ALTER TABLE "dialer_sessions" ADD COLUMN "line_id" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "line_mode" text DEFAULT 'each_call' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "line_brief" text DEFAULT 'short' NOT NULL;--> statement-breakpoint
ALTER TABLE "lines" ADD CONSTRAINT "lines_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lines" ADD CONSTRAINT "lines_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "lines_live_user_key" ON "lines" USING btree ("user_id") WHERE "lines"."state" <> 'ended';--> statement-breakpoint
CREATE INDEX "lines_live_idx" ON "lines" USING btree ("last_event_at") WHERE "lines"."state" <> 'ended';--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_line_id_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dialer_sessions" ADD CONSTRAINT "dialer_sessions_line_id_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "calls_line_idx" ON "calls" USING btree ("line_id","id" DESC NULLS LAST) WHERE "calls"."line_id" is not null;--> statement-breakpoint
CREATE INDEX "dialer_sessions_line_idx" ON "dialer_sessions" USING btree ("line_id") WHERE "dialer_sessions"."line_id" is not null;