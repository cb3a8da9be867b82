CREATE TABLE "crm_awaited" (
	"run_id" integer NOT NULL,
	"contact_id" text NOT NULL,
	"after_page" integer NOT NULL,
	"joined" boolean NOT NULL,
	CONSTRAINT "crm_awaited_run_id_contact_id_pk" PRIMARY KEY("run_id","contact_id")
);
