CREATE TABLE "import_batches" (
	"import_id" integer NOT NULL,
	"first_row" integer NOT NULL,
	"row_count" integer NOT NULL,
	"rows" text NOT NULL,
	CONSTRAINT "import_batches_import_id_first_row_pk" PRIMARY KEY("import_id","first_row")
);
--> statement-breakpoint
CREATE TABLE "import_failures" (
	"import_id" integer NOT NULL,
	"row" integer NOT NULL,
	"reason" text NOT NULL,
	"raw" text NOT NULL,
	CONSTRAINT "import_failures_import_id_row_pk" PRIMARY KEY("import_id","row")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer,
	"source_system" text NOT NULL,
	"file_name" text,
	"duplicates" text DEFAULT 'skip' NOT NULL,
	"columns" jsonb,
	"mapping" jsonb,
	"state" text DEFAULT 'running' NOT NULL,
	"total" integer NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"imported" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"errors" integer DEFAULT 0 NOT NULL,
	"message" text,
	"lease" text,
	"heartbeat_at" timestamp with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "import_batches" ADD CONSTRAINT "import_batches_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_failures" ADD CONSTRAINT "import_failures_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imports_user_idx" ON "imports" USING btree ("user_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "imports_running_idx" ON "imports" USING btree ("id") WHERE "imports"."state" = 'running';