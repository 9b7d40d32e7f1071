-- A receipt names the project that it was redeemed for, as all rows do. It outlives the project, so it is not keyed by it.
alter table subscription_receipts rename column for_store to for_project;
update subscription_receipts set for_project = 'prj_' || substr(for_project, 5) where for_project <> '';

-- Each table that belongs to a store or a project is keyed by the project.
drop function key_by_project(text[]);
