CREATE TABLE "go_live_marks" (
	"step" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"marked_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "test_calls" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"key_hash" text NOT NULL,
	"call_sid" text,
	"leg" text,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"reached_at" timestamp with time zone,
	"answered_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"failure" text
);
--> statement-breakpoint
ALTER TABLE "go_live_marks" ADD CONSTRAINT "go_live_marks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_calls" ADD CONSTRAINT "test_calls_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "test_calls_live_key" ON "test_calls" USING btree ("user_id") WHERE "test_calls"."ended_at" is null;