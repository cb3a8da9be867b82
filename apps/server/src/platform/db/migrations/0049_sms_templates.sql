CREATE TABLE "sms_template_versions" (
	"id" serial PRIMARY KEY NOT NULL,
	"template_id" integer NOT NULL,
	"version" integer NOT NULL,
	"name" text NOT NULL,
	"en" text,
	"es" text,
	"saved_by" integer,
	"saved_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sms_templates" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer,
	"is_shared" boolean DEFAULT false NOT NULL,
	"is_for_missed_call" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "template_version_id" integer;--> statement-breakpoint
ALTER TABLE "sms_template_versions" ADD CONSTRAINT "sms_template_versions_template_id_sms_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."sms_templates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sms_template_versions" ADD CONSTRAINT "sms_template_versions_saved_by_users_id_fk" FOREIGN KEY ("saved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sms_templates" ADD CONSTRAINT "sms_templates_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sms_template_versions_key" ON "sms_template_versions" USING btree ("template_id","version");--> statement-breakpoint
CREATE INDEX "sms_templates_owner_idx" ON "sms_templates" USING btree ("user_id") WHERE "sms_templates"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_template_version_id_sms_template_versions_id_fk" FOREIGN KEY ("template_version_id") REFERENCES "public"."sms_template_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "messages_template_idx" ON "messages" USING btree ("template_version_id") WHERE "messages"."template_version_id" is not null;--> statement-breakpoint
-- The portal comes with one template, for a call that did not reach the lead; administrators change it.
WITH template AS (INSERT INTO "sms_templates" ("is_shared", "is_for_missed_call") VALUES (true, true) RETURNING "id")
INSERT INTO "sms_template_versions" ("template_id", "version", "name", "en", "es")
SELECT "id", 1, 'Missed you · Le llamé',
	'Hi {{first_name}}, this is {{consultant}}. I just tried to call you. When is a good time to talk?',
	'Hola, {{first_name}}. Le habla {{consultant}}: acabo de llamarle. ¿A qué hora le conviene hablar?' FROM template;
