-- Warnings of an imported row, such as a place that nobody knows.
alter table sheet_import_rows add column warnings jsonb;
