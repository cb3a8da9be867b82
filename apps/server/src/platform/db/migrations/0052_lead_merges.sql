CREATE TABLE "lead_aliases" (
	"merge_id" integer PRIMARY KEY NOT NULL,
	"lead_id" integer NOT NULL,
	"phone" text,
	"phone_e164" text,
	"email" text,
	"ghl_contact_id" text,
	"call_opt_out" text,
	"text_opt_out" text,
	"time_zone" text,
	"address_state" text,
	"fallback" jsonb,
	"search" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lead_merges" (
	"id" serial PRIMARY KEY NOT NULL,
	"lead_id" integer NOT NULL,
	"other_id" integer NOT NULL,
	"client_ref" uuid NOT NULL,
	"merged_by" integer NOT NULL,
	"merged_at" timestamp with time zone DEFAULT now() NOT NULL,
	"before" jsonb NOT NULL,
	"other" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"identity" text NOT NULL,
	"moved" jsonb NOT NULL,
	"withdrawn" jsonb NOT NULL,
	"noted" jsonb NOT NULL,
	"undone_at" timestamp with time zone,
	"undone_by" integer,
	CONSTRAINT "lead_merges_client_ref_unique" UNIQUE("client_ref")
);
--> statement-breakpoint
DROP INDEX "dialer_items_lead_key";--> statement-breakpoint
ALTER TABLE "bulk_change_items" DROP CONSTRAINT "bulk_change_items_change_id_lead_id_pk";--> statement-breakpoint
ALTER TABLE "bulk_change_items" ADD COLUMN "id" serial PRIMARY KEY NOT NULL;--> statement-breakpoint
ALTER TABLE "bulk_change_items" ADD COLUMN "merged" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "dialer_items" ADD COLUMN "merged" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "lead_aliases" ADD CONSTRAINT "lead_aliases_merge_id_lead_merges_id_fk" FOREIGN KEY ("merge_id") REFERENCES "public"."lead_merges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_aliases" ADD CONSTRAINT "lead_aliases_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_merges" ADD CONSTRAINT "lead_merges_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_merges" ADD CONSTRAINT "lead_merges_merged_by_users_id_fk" FOREIGN KEY ("merged_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_merges" ADD CONSTRAINT "lead_merges_undone_by_users_id_fk" FOREIGN KEY ("undone_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lead_aliases_lead_idx" ON "lead_aliases" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "lead_aliases_phone_idx" ON "lead_aliases" USING btree ("phone_e164") WHERE "lead_aliases"."phone_e164" is not null;--> statement-breakpoint
CREATE INDEX "lead_aliases_email_idx" ON "lead_aliases" USING btree (lower("email")) WHERE "lead_aliases"."email" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "lead_aliases_contact_key" ON "lead_aliases" USING btree ("ghl_contact_id") WHERE "lead_aliases"."ghl_contact_id" is not null;--> statement-breakpoint
CREATE INDEX "lead_merges_lead_idx" ON "lead_merges" USING btree ("lead_id");--> statement-breakpoint
CREATE UNIQUE INDEX "lead_merges_other_key" ON "lead_merges" USING btree ("other_id") WHERE "lead_merges"."undone_at" is null;--> statement-breakpoint
CREATE INDEX "lead_merges_at_idx" ON "lead_merges" USING btree ("merged_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_change_items_lead_key" ON "bulk_change_items" USING btree ("change_id","lead_id") WHERE not "bulk_change_items"."merged";--> statement-breakpoint
CREATE INDEX "bulk_change_items_change_idx" ON "bulk_change_items" USING btree ("change_id");--> statement-breakpoint
CREATE UNIQUE INDEX "dialer_items_lead_key" ON "dialer_items" USING btree ("session_id","lead_id") WHERE not "dialer_items"."merged";--> statement-breakpoint
-- What a lead is found by besides its own words stays in its search column, whoever writes that anew.
CREATE FUNCTION add_alias_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := NEW.search || coalesce((SELECT string_agg(' ' || a.search, '' ORDER BY a.merge_id) FROM lead_aliases a
    WHERE a.lead_id = NEW.id AND strpos(NEW.search, a.search) = 0), '');
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER leads_alias_words BEFORE UPDATE OF search ON leads FOR EACH ROW
WHEN (NEW.search IS DISTINCT FROM OLD.search) EXECUTE FUNCTION add_alias_words();
