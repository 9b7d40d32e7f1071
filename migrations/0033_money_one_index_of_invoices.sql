-- The primary key serves the lists of a store's invoices since it begins with the project.
drop index subscription_invoices_project_id_id_idx;
