-- Payments of orders and of subscriptions stand in one table: a payment pays for a payable.

alter table payments drop constraint payments_store_id_order_id_fkey;
drop index payments_of_order;
alter table payments rename column order_id to payable_id;
alter table payments add column payable_kind text not null default 'order';
alter table payments alter column payable_kind drop default;
-- Null where the platform receives the money.
alter table payments alter column project_id drop not null;
-- Derived, so that the payment of an order refers to an order that exists.
alter table payments add column order_id text generated always as (case when payable_kind = 'order' then payable_id end) stored;
alter table payments add constraint payments_store_id_order_id_fkey foreign key (store_id, order_id) references orders(store_id, id);
alter table payments add constraint payments_payable_kind_check check (payable_kind in ('order', 'subscription'));
alter table payments add constraint payments_of_project check ((payable_kind = 'order') = (project_id is not null));
-- A store has one subscription, which has the id of the store.
alter table payments add constraint payments_of_subscription check (payable_kind <> 'subscription' or payable_id = store_id);
comment on table payments is 'Payment of an order or of a subscription through a gateway, with its checkout and what was refunded.';
create index payments_of_payable on payments (payable_kind, payable_id, id);
create index payments_of_order on payments (order_id) where order_id is not null;
create index payments_processing on payments (payable_kind, id) where status = 'processing';

insert into payments (
  store_id, id, payable_kind, payable_id, connection_id, gateway, status, amount, currency, decimals, paid, refunded, accepted, message,
  external_id, checkout_url, return_to, language, expires_at, paid_at, asking_until, read_at, reads, created_at, updated_at, directions
)
select
  store_id, id, 'subscription', store_id, connection_id, gateway, status, amount, currency, decimals, paid, refunded,
  status in ('paid', 'partially_refunded', 'refunded'), message,
  external_id, checkout_url, return_to, language, expires_at, paid_at, asking_until, read_at, reads, created_at, updated_at, directions
from subscription_payments;

-- Only the sum of the refunds of a subscription was kept. It becomes one refund, which has the id of its payment.
insert into payment_refunds (payment_id, id, amount, status, reason, by_hand, created_at, updated_at)
select id, 'rfd_' || substr(id, 5), refunded, 'done', '', true, updated_at, updated_at from subscription_payments where refunded > 0;

alter table payment_proofs drop constraint payment_proofs_check;
update payment_proofs set payment_id = subscription_payment_id where payment_id is null;
alter table payment_proofs drop column subscription_payment_id;
alter table payment_proofs alter column payment_id set not null;
comment on table payment_proofs is 'Receipt that a payer uploaded for a payment.';

drop table subscription_payments;

-- Waiting jobs get their new names. On a new database, the tables of jobs do not exist yet.
do $$
begin
  if to_regclass('graphile_worker._private_tasks') is null then
    return;
  end if;
  insert into graphile_worker._private_tasks (identifier) values ('payments.poll'), ('payments.expire') on conflict do nothing;
  update graphile_worker._private_jobs j set task_id = renamed.id
  from graphile_worker._private_tasks task, graphile_worker._private_tasks renamed
  where task.id = j.task_id and task.identifier in ('subscriptions.poll', 'subscriptions.expire')
    and renamed.identifier = replace(task.identifier, 'subscriptions.', 'payments.');
  delete from graphile_worker._private_jobs j using graphile_worker._private_tasks task
  where task.id = j.task_id and task.identifier = 'subscriptions.pollDue';
end
$$;
