-- What stores may have, and for how much a month. The plan `free` is that of every store which has no other.
create table plans (
  id text collate "C" primary key,
  code text not null,
  name text not null,
  description text not null default '',
  -- For a month; nothing is asked for a plan of 0.
  price numeric(19,4) not null default 0 check (price >= 0),
  currency text not null,
  -- The most of each that a store may have; what is not named is not limited.
  limits jsonb not null default '{}',
  -- What an order beyond the limit costs; null: it is taken all the same, for nothing.
  extra_order_price numeric(19,4) check (extra_order_price >= 0),
  trial_days integer not null default 0 check (trial_days between 0 and 365),
  app_store_product text,
  play_store_product text,
  -- Whether stores may choose it; those that have it keep it.
  available boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint plans_code unique (code),
  constraint plans_app_store_product unique (app_store_product),
  constraint plans_play_store_product unique (play_store_product),
  constraint plans_free check (code <> 'free' or price = 0)
);
create index plans_price on plans (price, id);
create index plans_available on plans (available, id);
create index plans_updated on plans (updated_at, id);
insert into plans (id, code, name, currency, available) values ('pln_00000000000000000000000000', 'free', 'Free', 'USD', true);

-- The plan of a store; a store without a row has the free one.
create table subscriptions (
  store_id text primary key references stores on delete cascade,
  plan text not null,
  status text not null check (status in ('trialing', 'active', 'past_due', 'cancelled', 'expired')),
  period_start timestamptz,
  -- Null: it goes on without anything being asked.
  period_end timestamptz,
  -- Periods begin on its day of the month, or on the last day of shorter ones.
  anchor timestamptz,
  -- What a month costs in this period: what is left of it is worth as much of that.
  rate numeric(19,4) not null default 0 check (rate >= 0),
  currency text not null,
  -- From the next period on; null: the same.
  next_plan text,
  cancels boolean not null default false,
  trial_used boolean not null default false,
  -- When the next thing happens to it by itself.
  look_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint subscriptions_plan foreign key (plan) references plans (code),
  constraint subscriptions_next_plan foreign key (next_plan) references plans (code),
  check ((period_start is null) = (period_end is null)),
  check (period_start < period_end)
);
create index on subscriptions (plan);
create index on subscriptions (next_plan) where next_plan is not null;
create index subscriptions_due on subscriptions (look_at) where look_at is not null;

-- What a store is asked for.
create table subscription_invoices (
  store_id text not null references stores on delete cascade,
  id text collate "C" primary key,
  reason text not null check (reason in ('start', 'upgrade', 'renewal', 'extra_orders')),
  plan text not null,
  -- What a month of the plan cost then.
  rate numeric(19,4) not null,
  status text not null default 'open' check (status in ('open', 'paid', 'void')),
  currency text not null,
  total numeric(19,4) not null check (total >= 0),
  lines jsonb not null,
  -- What it pays for; a start begins when it is paid.
  period_start timestamptz,
  period_end timestamptz,
  due_at timestamptz not null,
  -- An open one is void from then on.
  void_at timestamptz,
  paid_at timestamptz,
  created_at timestamptz not null default now(),
  constraint subscription_invoices_plan foreign key (plan) references plans (code),
  check ((status = 'paid') = (paid_at is not null))
);
create index on subscription_invoices (store_id, id);
create index on subscription_invoices (plan);
-- A period is asked for once.
create unique index subscription_invoices_renewal on subscription_invoices (store_id, period_start) where reason = 'renewal' and status <> 'void';
create unique index subscription_invoices_extra on subscription_invoices (store_id, period_start) where reason = 'extra_orders' and status <> 'void';
create unique index subscription_invoices_open on subscription_invoices (store_id, reason) where reason in ('start', 'upgrade') and status = 'open';

-- What stores pay to whoever runs this server.
create table subscription_payments (
  store_id text not null references stores,
  id text collate "C" primary key,
  -- The platform's.
  connection_id text not null,
  gateway text not null,
  status text not null check (status in ('created', 'open', 'processing', 'authorized', 'paid', 'partially_refunded', 'refunded', 'failed', 'cancelled', 'expired')),
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  decimals smallint not null check (decimals between 0 and 4),
  -- Null also where it was paid in another currency, which a person has to count.
  paid numeric(19,4),
  refunded numeric(19,4) not null default 0,
  message text,
  external_id text,
  checkout_url text,
  return_to text,
  language text not null,
  expires_at timestamptz,
  paid_at timestamptz,
  asking_until timestamptz,
  read_at timestamptz,
  reads integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index subscription_payments_external on subscription_payments (connection_id, external_id) where external_id is not null;
create index on subscription_payments (store_id, id);
create index subscription_payments_due on subscription_payments (read_at) where read_at is not null;
create index subscription_payments_under_way on subscription_payments (connection_id) where status in ('created', 'open', 'processing', 'authorized');

-- What of it came in and what it was spent on: the sum is what a store has to its credit.
create table subscription_credits (
  store_id text not null references stores on delete cascade,
  id text collate "C" primary key,
  kind text not null check (kind in ('payment', 'refund', 'in_app', 'invoice', 'admin')),
  amount numeric(19,4) not null,
  currency text not null,
  -- The payment, the receipt or the invoice.
  about text not null,
  created_at timestamptz not null default now()
);
create index on subscription_credits (store_id, currency);
create unique index subscription_credits_once on subscription_credits (kind, about) where kind in ('payment', 'in_app', 'invoice');

-- What was bought in an app, each once, whatever becomes of the store that it was for.
create table subscription_receipts (
  shop text not null check (shop in ('app_store', 'play_store')),
  transaction_id text not null,
  for_store text not null,
  product text not null,
  at timestamptz not null default now(),
  primary key (shop, transaction_id)
);
