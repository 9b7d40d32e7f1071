-- Payments, their refunds, receipts and events are keyed by their project. The payment of a subscription belongs to the project of the
-- store that pays; its connection is one of the platform.

alter table payment_proofs drop constraint payment_proofs_payment_id_fkey;
alter table payment_refunds drop constraint payment_refunds_payment_id_fkey;
alter table payments drop constraint payments_of_project, drop constraint payments_of_subscription;
update payments set project_id = 'prj_' || substr(store_id, 5) where project_id is null;
alter table payments alter column project_id set not null;
-- Also drops the indexes that begin with it, and the reference to the order.
alter table payments drop column store_id;
alter table payments add constraint payments_of_subscription check (payable_kind <> 'subscription' or payable_id = 'sto_' || substr(project_id, 5));
alter table payments drop constraint payments_pkey, add constraint payments_pkey primary key (project_id, id);
comment on table payments is 'Payment of an order or of a subscription through a gateway, with its checkout and what was refunded. That of a subscription belongs to the project of the store that pays.';

drop index payments_external, payments_of_payable, payments_of_order;
create unique index payments_external on payments (project_id, connection_id, external_id) where external_id is not null;
create index payments_by_status on payments (project_id, status, id);
create index payments_of_payable on payments (project_id, payable_kind, payable_id, id);
create index payments_of_order on payments (project_id, order_id) where order_id is not null;
create index payments_paid on payments (project_id, paid_at, id) where paid is not null;
create index payments_waiting on payments (project_id, id) where concern is not null;
-- The pages of payers and waiting jobs name a payment alone.
create index payments_by_id on payments (id);
-- Callbacks name the connection, and one of the platform has payments of many projects.
create index payments_of_connection on payments (connection_id, external_id) where external_id is not null;

alter table payment_refunds add column project_id text;
update payment_refunds r set project_id = p.project_id from payments p where p.id = r.payment_id;
alter table payment_refunds alter column project_id set not null;
alter table payment_refunds drop constraint payment_refunds_pkey, add constraint payment_refunds_pkey primary key (project_id, id);
alter table payment_refunds add constraint payment_refunds_payment_id_fkey foreign key (project_id, payment_id) references payments(project_id, id);
drop index payment_refunds_payment_id_id_idx;
create index payment_refunds_payment_id_id_idx on payment_refunds (project_id, payment_id, id);
-- Waiting jobs name a refund alone.
create index payment_refunds_by_id on payment_refunds (id);

alter table payment_proofs add column project_id text;
update payment_proofs r set project_id = p.project_id from payments p where p.id = r.payment_id;
alter table payment_proofs alter column project_id set not null;
alter table payment_proofs drop constraint payment_proofs_pkey, add constraint payment_proofs_pkey primary key (project_id, id);
alter table payment_proofs add constraint payment_proofs_payment_id_fkey foreign key (project_id, payment_id) references payments(project_id, id);
drop index payment_proofs_payment_id_id_idx;
create index payment_proofs_payment_id_id_idx on payment_proofs (project_id, payment_id, id);

alter table payment_events add column project_id text;
update payment_events e set project_id = i.project_id from integrations i where i.id = e.connection_id;
delete from payment_events where project_id is null;
alter table payment_events alter column project_id set not null;
alter table payment_events drop constraint payment_events_pkey, add constraint payment_events_pkey primary key (project_id, connection_id, digest);
comment on table payment_events is 'Event that a gateway reported about a payment, so that it is applied once. It belongs to the project of its connection; that of the platform is empty.';
drop index payment_events_early, payment_events_payment_id_idx;
create index payment_events_early on payment_events (project_id, connection_id, external_id) where outcome = 'early';
