CREATE TABLE "saved_views" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"page" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"is_for_everybody" boolean DEFAULT false NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "lists" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saved_views_page_idx" ON "saved_views" USING btree ("page","user_id");--> statement-breakpoint
CREATE INDEX "leads_attempt_idx" ON "leads" USING btree (coalesce("last_attempt_at", '-infinity'::timestamptz),"id");--> statement-breakpoint
CREATE INDEX "leads_attempts_idx" ON "leads" USING btree ("attempts","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "leads_due_idx" ON "leads" USING btree (coalesce("next_follow_up_date", 'infinity'::timestamptz),"id");--> statement-breakpoint
CREATE INDEX "leads_last_contact_idx" ON "leads" USING btree ("last_contacted_at") WHERE "leads"."last_contacted_at" is not null;--> statement-breakpoint
CREATE INDEX "leads_unread_idx" ON "leads" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "leads"."unread_messages" > 0;