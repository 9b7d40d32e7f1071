-- Blocks of customers, and imports of sheets, are keyed by the project of their store.
select key_by_project('store_blocks');
select key_by_project('sheet_imports', 'sheet_import_rows');
alter table store_blocks drop constraint store_blocks_pkey, add constraint store_blocks_pkey primary key (project_id, id);
drop index store_blocks_project_id_id_idx;
