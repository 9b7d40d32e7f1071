-- What a payer has to know where no gateway has a page, and the receipts that payers send.
alter table payments add column directions jsonb;

create table payment_proofs (
  id text collate "C" primary key,
  payment_id text not null references payments,
  file_id text not null,
  created_at timestamptz not null default now()
);
create index on payment_proofs (payment_id, id);
