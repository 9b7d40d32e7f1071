-- What customers pay before their parcel leaves.
create table payments (
  store_id text not null references stores,
  id text collate "C" not null primary key,
  project_id text not null references projects,
  order_id text not null,
  connection_id text not null,
  gateway text not null,
  status text not null check (status in ('created', 'open', 'processing', 'authorized', 'paid', 'partially_refunded', 'refunded', 'failed', 'cancelled', 'expired')),
  -- What the order lacked when it was initiated; taken from the order.
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  -- How many decimals its amounts have at the gateway.
  decimals smallint not null check (decimals between 0 and 4),
  paid numeric(19,4),
  fee numeric(19,4),
  refunded numeric(19,4) not null default 0 check (refunded >= 0 and refunded <= coalesce(paid, 0)),
  method text,
  -- Whether what was paid counts for the order; a payment of concern waits for a person to say so.
  accepted boolean not null default false,
  concern text check (concern in ('paid_twice', 'paid_less', 'paid_more', 'paid_late', 'other_currency', 'order_ended', 'refund_unknown')),
  concern_since timestamptz,
  message text,
  external_id text,
  checkout_url text,
  return_to text,
  language text not null,
  expires_at timestamptz,
  paid_at timestamptz,
  -- Who is asking the gateway for its page now.
  asking_until timestamptz,
  -- When the gateway is asked next what became of it; null where there is nothing more to ask.
  read_at timestamptz,
  reads integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (store_id, order_id) references orders
);
create unique index payments_external on payments (connection_id, external_id) where external_id is not null;
create index payments_of_order on payments (order_id, id);
create index payments_of_store on payments (store_id, id);
create index payments_by_status on payments (store_id, status, id);
create index payments_waiting on payments (store_id, id) where concern is not null;
create index payments_named on payments (gateway, external_id) where external_id is not null;
create index payments_due on payments (read_at) where read_at is not null;
create index payments_under_way on payments (connection_id) where status in ('created', 'open', 'processing', 'authorized');

create table payment_refunds (
  payment_id text not null references payments,
  id text collate "C" not null primary key,
  amount numeric(19,4) not null check (amount > 0),
  status text not null check (status in ('pending', 'done', 'failed', 'unknown')),
  reason text not null,
  by_hand boolean not null,
  external_id text,
  message text,
  -- When the gateway was asked last; null where it was not yet.
  asked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on payment_refunds (payment_id, id);
create index payment_refunds_pending on payment_refunds (created_at) where status = 'pending';

-- What gateways told, each thing once.
create table payment_news (
  connection_id text not null,
  digest text not null,
  payment_id text,
  external_id text,
  news jsonb not null,
  outcome text not null,
  at timestamptz not null default now(),
  primary key (connection_id, digest)
);
create index on payment_news (payment_id) where payment_id is not null;
create index payment_news_early on payment_news (connection_id, external_id) where outcome = 'early';
create index on payment_news (at);

-- What was paid of an order and counts, less what was given back.
alter table orders add column paid numeric(19,4) not null default 0;
alter table orders add column payment_status text not null default 'unpaid'
  check (payment_status in ('unpaid', 'pending', 'partially_paid', 'paid', 'refunded', 'needs_attention'));

-- The ledger keeps what gateways owe beside what carriers do. `carrier` is what the other side of the connection owes us, whoever it is.
alter table cash_entries drop constraint cash_entries_kind_check;
alter table cash_entries add constraint cash_entries_kind_check
  check (kind in ('delivered', 'undelivered', 'remittance', 'reversal', 'deduction', 'charge', 'payment', 'refund'));
alter table cash_entries add column payment_id text collate "C";
alter table cash_entries add column refund_id text collate "C";
alter table cash_entries add constraint cash_entries_of_payment check ((kind in ('payment', 'refund')) = (payment_id is not null) or undoes_id is not null);
alter table cash_entries add constraint cash_entries_of_refund check (refund_id is null or kind = 'refund');
create unique index cash_entries_paid_once on cash_entries (payment_id, kind, coalesce(refund_id, '')) where stands and payment_id is not null;
