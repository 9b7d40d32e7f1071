-- Imported orders and links of installations are keyed by their project. Links are found by their digest, before a project is known.
select key_by_project('imported_orders', 'connector_links');
alter table sheet_targets drop constraint sheet_targets_connection_id_fkey,
  add constraint sheet_targets_project_id_connection_id_fkey foreign key (project_id, connection_id) references integrations(project_id, id);
