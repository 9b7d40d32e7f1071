-- Audit entries are keyed by the project of their store.
select key_by_project('audit_entries');
