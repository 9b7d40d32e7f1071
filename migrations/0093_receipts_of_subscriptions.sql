-- What a store owes for its plan is paid without a gateway as well: what its payer has to know, and the receipts that payers send.
alter table subscription_payments add column directions jsonb;
create index subscription_payments_processing on subscription_payments (id) where status = 'processing';

alter table payment_proofs
  alter column payment_id drop not null,
  add column subscription_payment_id text references subscription_payments,
  add check (num_nonnulls(payment_id, subscription_payment_id) = 1);
create index on payment_proofs (subscription_payment_id, id) where subscription_payment_id is not null;
