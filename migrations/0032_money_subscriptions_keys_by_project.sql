-- Subscriptions are keyed by the project of their store. Receipts of app shops are found by their transaction, before a project is known.
select key_by_project('subscriptions', 'subscription_invoices', 'subscription_credits');
alter table subscription_invoices drop constraint subscription_invoices_pkey, add constraint subscription_invoices_pkey primary key (project_id, id);
alter table subscription_credits drop constraint subscription_credits_pkey, add constraint subscription_credits_pkey primary key (project_id, id);
drop index subscription_credits_once;
create unique index subscription_credits_once on subscription_credits (project_id, kind, about) where kind in ('payment', 'in_app', 'invoice');
