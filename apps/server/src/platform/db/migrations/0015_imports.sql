-- The rows of a file wait here for minutes: packing them took longer than anything else of their storing, and unpacking once more.
ALTER TABLE import_batches ALTER COLUMN rows SET STORAGE EXTERNAL;
