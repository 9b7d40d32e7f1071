-- Money: the ledger of cash on delivery, payments through gateways, and plans.

create table ledger_entries (
  project_id text not null,
  id bigint not null generated always as identity,
  connection_id text not null,
  kind text not null,
  parcel_id text collate "C",
  remittance_id text collate "C",
  undoes_id bigint,
  carrier numeric(19,4) not null default 0,
  sales numeric(19,4) not null default 0,
  fees numeric(19,4) not null default 0,
  bank numeric(19,4) not null default 0,
  difference numeric(19,4) not null default 0,
  -- False once another entry has reversed it.
  stands boolean not null,
  at timestamptz not null,
  created_at timestamptz not null default now(),
  takes_back_id bigint,
  payment_id text collate "C",
  refund_id text collate "C",
  payout_id text collate "C",
  payout_line_id text collate "C",
  constraint ledger_entries_pkey primary key (project_id, id),
  constraint ledger_entries_project_id_fkey foreign key (project_id) references projects(id),
  constraint ledger_entries_project_id_parcel_id_fkey foreign key (project_id, parcel_id) references parcels(project_id, id),
  constraint ledger_entries_project_id_takes_back_id_fkey foreign key (project_id, takes_back_id) references ledger_entries(project_id, id),
  constraint ledger_entries_project_id_undoes_id_fkey foreign key (project_id, undoes_id) references ledger_entries(project_id, id),
  constraint ledger_entries_balanced check ((carrier + sales + fees + bank + difference) = 0),
  constraint ledger_entries_check check ((kind in ('undelivered', 'reversal')) = (undoes_id is not null)),
  constraint ledger_entries_check1 check (not stands or undoes_id is null),
  constraint ledger_entries_check2 check (kind <> 'remittance' or remittance_id is not null),
  constraint ledger_entries_check3 check ((kind not in ('delivered', 'undelivered')) or parcel_id is not null),
  constraint ledger_entries_kind_check check (kind in ('delivered', 'undelivered', 'remittance', 'reversal', 'deduction', 'charge', 'payment', 'refund', 'payout')),
  constraint ledger_entries_of_gateway_payout check ((payout_id is null) = (payout_line_id is null) and (kind <> 'payout' or payout_id is not null) and (payout_id is null or (kind in ('payout', 'reversal')))),
  constraint ledger_entries_of_payment check ((kind in ('payment', 'refund')) = (payment_id is not null) or undoes_id is not null),
  constraint ledger_entries_of_payout check ((kind not in ('deduction', 'charge')) or remittance_id is not null),
  constraint ledger_entries_of_refund check (refund_id is null or kind = 'refund'),
  constraint ledger_entries_takes_back check ((kind = 'deduction') = (takes_back_id is not null))
);
comment on table ledger_entries is 'Entry of the ledger of a connection, which adds up to zero over five accounts: carrier (owed to us), sales (negative), fees, bank, difference. Never changes.';
create index ledger_entries_connection_id_at_idx on ledger_entries (connection_id, at);
create index ledger_entries_connection_id_remittance_id_idx on ledger_entries (connection_id, remittance_id) where remittance_id is not null;
create index ledger_entries_delivered on ledger_entries (connection_id, at, id) where stands and (kind = 'delivered');
create index ledger_entries_of_payout_undone on ledger_entries (payout_id) where payout_id is not null;
create unique index ledger_entries_once on ledger_entries (project_id, parcel_id, kind, coalesce(takes_back_id, (0)::bigint)) where stands and (parcel_id is not null);
create unique index ledger_entries_paid_once on ledger_entries (payment_id, kind, coalesce(refund_id, ''), project_id) where stands and (payment_id is not null);
create unique index ledger_entries_paid_out_once on ledger_entries (payout_id, payout_line_id, project_id) where stands and (payout_id is not null);
create unique index ledger_entries_taken_back_once on ledger_entries (project_id, takes_back_id) where stands and (takes_back_id is not null);
create unique index ledger_entries_undone_once on ledger_entries (project_id, undoes_id) where undoes_id is not null;

create table remittances (
  project_id text not null,
  connection_id text not null,
  id text collate "C" not null,
  source text not null,
  state text not null default 'draft',
  file_hash text,
  file_name text,
  carrier_status text,
  -- Total as the carrier states it.
  amount numeric(19,4) not null,
  parcels integer not null,
  paid_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  reversed_at timestamptz,
  constraint remittances_pkey primary key (project_id, connection_id, id),
  constraint remittances_project_id_fkey foreign key (project_id) references projects(id),
  constraint remittances_check check ((source = 'file') = (file_hash is not null)),
  constraint remittances_source_check check (source in ('carrier', 'file', 'opening')),
  constraint remittances_state_check check (state in ('draft', 'confirmed', 'reversed'))
);
comment on table remittances is 'Payout of a carrier: announced by its API, or an uploaded sheet. The id opening stands for all that was paid before the ledger began.';
create unique index remittances_project_id_connection_id_file_hash_idx on remittances (project_id, connection_id, file_hash) where file_hash is not null;
create index remittances_project_id_connection_id_paid_at_id_idx on remittances (project_id, connection_id, paid_at, id);
alter table ledger_entries add constraint ledger_entries_project_id_connection_id_remittance_id_fkey foreign key (project_id, connection_id, remittance_id) references remittances(project_id, connection_id, id);

create table remittance_lines (
  project_id text not null,
  connection_id text not null,
  remittance_id text collate "C" not null,
  line integer not null,
  tracking text,
  folded text generated always as (cash_fold(tracking)) stored,
  reference text,
  amount numeric(19,4),
  fee numeric(19,4),
  net numeric(19,4),
  outcome text,
  parcel_id text,
  expected numeric(19,4),
  constraint remittance_lines_pkey primary key (project_id, connection_id, remittance_id, line),
  constraint remittance_lines_project_id_connection_id_remittance__fkey foreign key (project_id, connection_id, remittance_id) references remittances(project_id, connection_id, id),
  constraint remittance_lines_check check (tracking is not null or reference is not null),
  constraint remittance_lines_check1 check (amount is not null or net is not null),
  constraint remittance_lines_outcome_check check (outcome in ('matched', 'short', 'excess', 'unknown', 'paid_already', 'not_delivered', 'deducted', 'charged'))
);
comment on table remittance_lines is 'Line of a remittance as the carrier states it. Its outcome is noted when the remittance is confirmed.';
create index remittance_lines_parcel_id_idx on remittance_lines (parcel_id) where parcel_id is not null;
create index remittance_lines_project_id_connection_id_folded_idx on remittance_lines (project_id, connection_id, folded);
create index remittance_lines_project_id_connection_id_reference_idx on remittance_lines (project_id, connection_id, reference) where reference is not null;

create table remittance_sheet_columns (
  connection_id text not null,
  columns jsonb not null,
  constraint remittance_sheet_columns_pkey primary key (connection_id)
);
comment on table remittance_sheet_columns is 'Columns of a carriers sheet that a person chose, for the next upload.';

create table payments (
  store_id text not null,
  id text collate "C" not null,
  project_id text not null,
  order_id text not null,
  connection_id text not null,
  gateway text not null,
  status text not null,
  -- Amount due when the payment was started.
  amount numeric(19,4) not null,
  currency text not null,
  -- Decimals of amounts at the gateway.
  decimals smallint not null,
  paid numeric(19,4),
  fee numeric(19,4),
  refunded numeric(19,4) not null default 0,
  method text,
  -- True when the paid amount counts for the order.
  accepted boolean not null default false,
  concern text,
  concern_since timestamptz,
  message text,
  external_id text,
  checkout_url text,
  return_to text,
  language text not null,
  expires_at timestamptz,
  paid_at timestamptz,
  -- End of the lease of the process that asks the gateway for a page.
  asking_until timestamptz,
  -- When the gateway is asked next; null when nothing more is expected.
  read_at timestamptz,
  reads integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Instructions for payers where no gateway has a page.
  directions jsonb,
  missing numeric(19,4) not null default 0,
  taken_back boolean not null default false,
  accepted_as text,
  constraint payments_pkey primary key (id),
  constraint payments_project_id_fkey foreign key (project_id) references projects(id),
  constraint payments_store_id_fkey foreign key (store_id) references stores(id),
  constraint payments_store_id_order_id_fkey foreign key (store_id, order_id) references orders(store_id, id),
  constraint payments_amount_check check (amount > 0),
  constraint payments_check check (refunded >= 0 and refunded <= coalesce(paid, 0)),
  constraint payments_concern_check check (concern in ('paid_twice', 'paid_less', 'paid_more', 'paid_late', 'other_currency', 'order_ended', 'outcome_unknown', 'refund_unknown', 'refund_failed', 'taken_back')),
  constraint payments_decimals_check check (decimals >= 0 and decimals <= 4),
  constraint payments_missing_check check (missing >= 0),
  constraint payments_status_check check (status in ('created', 'open', 'processing', 'authorized', 'paid', 'partially_refunded', 'refunded', 'failed', 'cancelled', 'expired'))
);
comment on table payments is 'Payment of an order through a gateway, with its checkout and what was refunded.';
create index payments_by_status on payments (store_id, status, id);
create index payments_due on payments (read_at) where read_at is not null;
create unique index payments_external on payments (connection_id, external_id) where external_id is not null;
create index payments_named on payments (gateway, external_id) where external_id is not null;
create index payments_of_order on payments (order_id, id);
create index payments_of_store on payments (store_id, id);
create index payments_paid on payments (store_id, paid_at, id) where paid is not null;
create index payments_under_way on payments (connection_id) where status in ('created', 'open', 'processing', 'authorized');
create index payments_waiting on payments (store_id, id) where concern is not null;

create table payment_events (
  connection_id text not null,
  digest text not null,
  payment_id text,
  external_id text,
  news jsonb not null,
  outcome text not null,
  at timestamptz not null default now(),
  constraint payment_events_pkey primary key (connection_id, digest)
);
comment on table payment_events is 'Event that a gateway reported about a payment, so that it is applied once.';
create index payment_events_at_idx on payment_events (at);
create index payment_events_early on payment_events (connection_id, external_id) where outcome = 'early';
create index payment_events_payment_id_idx on payment_events (payment_id) where payment_id is not null;

create table payment_proofs (
  id text collate "C" not null,
  payment_id text,
  file_id text not null,
  created_at timestamptz not null default now(),
  subscription_payment_id text,
  constraint payment_proofs_pkey primary key (id),
  constraint payment_proofs_payment_id_fkey foreign key (payment_id) references payments(id),
  constraint payment_proofs_check check (num_nonnulls(payment_id, subscription_payment_id) = 1)
);
comment on table payment_proofs is 'Receipt that a payer uploaded, for a payment of an order or of a plan.';
create index payment_proofs_payment_id_id_idx on payment_proofs (payment_id, id);
create index payment_proofs_subscription_payment_id_id_idx on payment_proofs (subscription_payment_id, id) where subscription_payment_id is not null;

create table payment_refunds (
  payment_id text not null,
  id text collate "C" not null,
  amount numeric(19,4) not null,
  status text not null,
  reason text not null,
  by_hand boolean not null,
  external_id text,
  message text,
  -- When the gateway was asked last.
  asked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payment_refunds_pkey primary key (id),
  constraint payment_refunds_payment_id_fkey foreign key (payment_id) references payments(id),
  constraint payment_refunds_amount_check check (amount > 0),
  constraint payment_refunds_status_check check (status in ('pending', 'done', 'failed', 'unknown'))
);
comment on table payment_refunds is 'Refund of a payment with its outcome at the gateway.';
create index payment_refunds_payment_id_id_idx on payment_refunds (payment_id, id);
create index payment_refunds_pending on payment_refunds (created_at) where status = 'pending';

create table gateway_payouts (
  store_id text not null,
  id text collate "C" not null,
  project_id text not null,
  connection_id text not null,
  gateway text not null,
  external_id text not null,
  status text not null,
  amount numeric(19,4) not null,
  currency text not null,
  decimals smallint not null,
  detail text not null,
  made_at timestamptz not null,
  arrives_at timestamptz,
  message text,
  complete boolean not null default false,
  line_cursor text,
  state text not null default 'open',
  -- Number of lines that wait for a person.
  waiting integer not null default 0,
  -- Payout that returned the money of this failed one.
  returned_by text,
  posted_at timestamptz,
  reversed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint gateway_payouts_pkey primary key (id),
  constraint gateway_payouts_project_id_fkey foreign key (project_id) references projects(id),
  constraint gateway_payouts_store_id_fkey foreign key (store_id) references stores(id),
  constraint gateway_payouts_decimals_check check (decimals >= 0 and decimals <= 4),
  constraint gateway_payouts_detail_check check (detail in ('ready', 'later', 'never')),
  constraint gateway_payouts_state_check check (state in ('open', 'posted', 'reversed')),
  constraint gateway_payouts_status_check check (status in ('pending', 'in_transit', 'paid', 'failed', 'cancelled')),
  constraint gateway_payouts_waiting_check check (waiting >= 0)
);
comment on table gateway_payouts is 'Payout of a gateway to a store.';
create index gateway_payouts_by_status on gateway_payouts (store_id, status, id);
create unique index gateway_payouts_external on gateway_payouts (connection_id, external_id);
create index gateway_payouts_of_store on gateway_payouts (store_id, id);
create index gateway_payouts_open on gateway_payouts (connection_id, id) where (not complete) or (waiting > 0) or ((state = 'posted') <> (status = 'paid'));
create index gateway_payouts_waiting on gateway_payouts (store_id, id) where waiting > 0;

create table gateway_payout_lines (
  payout_id text not null,
  id text collate "C" not null,
  line integer not null,
  external_id text not null,
  kind text not null,
  gross numeric(19,4) not null,
  fee numeric(19,4) not null,
  net numeric(19,4) not null,
  currency text not null,
  at timestamptz,
  message text,
  named_checkout text,
  named_payment text,
  named_refund text,
  named_refund_there text,
  named_payout text,
  outcome text,
  payment_id text,
  refund_id text,
  expected numeric(19,4),
  settled_at timestamptz,
  stands boolean not null default false,
  posted numeric(19,4),
  reason text,
  constraint gateway_payout_lines_pkey primary key (payout_id, id),
  constraint gateway_payout_lines_payout_id_fkey foreign key (payout_id) references gateway_payouts(id),
  constraint gateway_payout_lines_add_up check (net = (gross - fee)),
  constraint gateway_payout_lines_check check (not stands or settled_at is not null),
  constraint gateway_payout_lines_check1 check (posted is null or stands),
  constraint gateway_payout_lines_kind_check check (kind in ('payment', 'refund', 'fee', 'dispute', 'adjustment', 'returned', 'untold')),
  constraint gateway_payout_lines_outcome_check check (outcome in ('matched', 'differs', 'paid_already', 'unknown', 'not_done', 'other_currency', 'fee', 'unexpected'))
);
comment on table gateway_payout_lines is 'Line of a gateway''s payout, and the payment or refund it settles.';
create unique index gateway_payout_lines_given_once on gateway_payout_lines (refund_id) where stands and (kind = 'refund') and (outcome in ('matched', 'differs', 'other_currency'));
create unique index gateway_payout_lines_in_order on gateway_payout_lines (payout_id, line);
create index gateway_payout_lines_of_payment on gateway_payout_lines (payment_id) where payment_id is not null;
create unique index gateway_payout_lines_paid_once on gateway_payout_lines (payment_id) where stands and (kind = 'payment') and (outcome in ('matched', 'differs', 'other_currency'));
create unique index gateway_payout_lines_told_once on gateway_payout_lines (payout_id, external_id);
create index gateway_payout_lines_waiting on gateway_payout_lines (payout_id, line) where settled_at is null;

create table payout_pulls (
  connection_id text not null,
  store_id text not null,
  status text not null default 'done',
  turn integer not null default 0,
  -- Start of the pulled period.
  since timestamptz,
  cursor text,
  pages integer not null default 0,
  message text,
  failures integer not null default 0,
  began_at timestamptz,
  finished_at timestamptz,
  due_at timestamptz not null default now(),
  constraint payout_pulls_pkey primary key (connection_id),
  constraint payout_pulls_store_id_fkey foreign key (store_id) references stores(id),
  constraint payout_pulls_status_check check (status in ('listing', 'reading', 'done', 'failed'))
);
comment on table payout_pulls is 'Progress of reading the payouts of a connection, and when it is read next.';
create index payout_pulls_due on payout_pulls (due_at);
create index payout_pulls_of_store on payout_pulls (store_id, connection_id);

create table plans (
  id text collate "C" not null,
  code text not null,
  name text not null,
  description text not null default '',
  -- Price of a month. A plan of 0 is free.
  price numeric(19,4) not null default 0,
  currency text not null,
  -- Maximum of each resource. A resource that is not named is unlimited.
  limits jsonb not null default '{}',
  -- Price of an order beyond the limit; null when it costs nothing.
  extra_order_price numeric(19,4),
  trial_days integer not null default 0,
  app_store_product text,
  play_store_product text,
  -- False hides the plan from stores that do not have it.
  available boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint plans_app_store_product unique (app_store_product),
  constraint plans_code unique (code),
  constraint plans_pkey primary key (id),
  constraint plans_play_store_product unique (play_store_product),
  constraint plans_extra_order_price_check check (extra_order_price >= 0),
  constraint plans_free check (code <> 'free' or price = 0),
  constraint plans_price_check check (price >= 0),
  constraint plans_trial_days_check check (trial_days >= 0 and trial_days <= 365)
);
comment on table plans is 'Plan that stores can have, with its monthly price and limits. Stores without a subscription have the plan free.';
create index plans_available on plans (available, id);
create index plans_price on plans (price, id);
create index plans_updated on plans (updated_at, id);
insert into plans (id, code, name, currency, available) values ('pln_00000000000000000000000000', 'free', 'Free', 'USD', true);

create table subscriptions (
  store_id text not null,
  plan text not null,
  status text not null,
  period_start timestamptz,
  -- Null for a plan without an end.
  period_end timestamptz,
  -- Day of the month on which periods begin.
  anchor timestamptz,
  rate numeric(19,4) not null default 0,
  currency text not null,
  -- Plan from the next period on; null for the same.
  next_plan text,
  cancels boolean not null default false,
  trial_used boolean not null default false,
  look_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint subscriptions_pkey primary key (store_id),
  constraint subscriptions_next_plan foreign key (next_plan) references plans(code),
  constraint subscriptions_plan foreign key (plan) references plans(code),
  constraint subscriptions_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint subscriptions_check check ((period_start is null) = (period_end is null)),
  constraint subscriptions_check1 check (period_start < period_end),
  constraint subscriptions_rate_check check (rate >= 0),
  constraint subscriptions_status_check check (status in ('trialing', 'active', 'past_due', 'cancelled', 'expired'))
);
comment on table subscriptions is 'Plan of a store with its present period. A store without a row has the plan free.';
create index subscriptions_due on subscriptions (look_at) where look_at is not null;
create index subscriptions_next_plan_idx on subscriptions (next_plan) where next_plan is not null;
create index subscriptions_plan_idx on subscriptions (plan);

create table subscription_invoices (
  store_id text not null,
  id text collate "C" not null,
  reason text not null,
  plan text not null,
  rate numeric(19,4) not null,
  status text not null default 'open',
  currency text not null,
  total numeric(19,4) not null,
  lines jsonb not null,
  period_start timestamptz,
  period_end timestamptz,
  due_at timestamptz not null,
  -- An open invoice is void from then on.
  void_at timestamptz,
  paid_at timestamptz,
  created_at timestamptz not null default now(),
  constraint subscription_invoices_pkey primary key (id),
  constraint subscription_invoices_plan foreign key (plan) references plans(code),
  constraint subscription_invoices_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint subscription_invoices_check check ((status = 'paid') = (paid_at is not null)),
  constraint subscription_invoices_reason_check check (reason in ('start', 'upgrade', 'renewal', 'extra_orders')),
  constraint subscription_invoices_status_check check (status in ('open', 'paid', 'void')),
  constraint subscription_invoices_total_check check (total >= 0)
);
comment on table subscription_invoices is 'Invoice for a period of a subscription.';
create unique index subscription_invoices_extra on subscription_invoices (store_id, period_start) where (reason = 'extra_orders') and (status <> 'void');
create unique index subscription_invoices_open on subscription_invoices (store_id, reason) where (reason in ('start', 'upgrade')) and (status = 'open');
create index subscription_invoices_plan_idx on subscription_invoices (plan);
create unique index subscription_invoices_renewal on subscription_invoices (store_id, period_start) where (reason = 'renewal') and (status <> 'void');
create index subscription_invoices_store_id_id_idx on subscription_invoices (store_id, id);

create table subscription_payments (
  store_id text not null,
  id text collate "C" not null,
  connection_id text not null,
  gateway text not null,
  status text not null,
  amount numeric(19,4) not null,
  currency text not null,
  decimals smallint not null,
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
  updated_at timestamptz not null default now(),
  directions jsonb,
  constraint subscription_payments_pkey primary key (id),
  constraint subscription_payments_store_id_fkey foreign key (store_id) references stores(id),
  constraint subscription_payments_amount_check check (amount > 0),
  constraint subscription_payments_decimals_check check (decimals >= 0 and decimals <= 4),
  constraint subscription_payments_status_check check (status in ('created', 'open', 'processing', 'authorized', 'paid', 'partially_refunded', 'refunded', 'failed', 'cancelled', 'expired'))
);
comment on table subscription_payments is 'Payment of invoices through a gateway of the platform.';
create index subscription_payments_due on subscription_payments (read_at) where read_at is not null;
create unique index subscription_payments_external on subscription_payments (connection_id, external_id) where external_id is not null;
create index subscription_payments_processing on subscription_payments (id) where status = 'processing';
create index subscription_payments_store_id_id_idx on subscription_payments (store_id, id);
create index subscription_payments_under_way on subscription_payments (connection_id) where status in ('created', 'open', 'processing', 'authorized');
alter table payment_proofs add constraint payment_proofs_subscription_payment_id_fkey foreign key (subscription_payment_id) references subscription_payments(id);

create table subscription_credits (
  store_id text not null,
  id text collate "C" not null,
  kind text not null,
  amount numeric(19,4) not null,
  currency text not null,
  about text not null,
  created_at timestamptz not null default now(),
  constraint subscription_credits_pkey primary key (id),
  constraint subscription_credits_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint subscription_credits_kind_check check (kind in ('payment', 'refund', 'in_app', 'invoice', 'admin'))
);
comment on table subscription_credits is 'Entry of a stores credit: what came in, or what it paid. The sum is the balance.';
create unique index subscription_credits_once on subscription_credits (kind, about) where kind in ('payment', 'in_app', 'invoice');
create index subscription_credits_store_id_currency_idx on subscription_credits (store_id, currency);

create table subscription_receipts (
  shop text not null,
  transaction_id text not null,
  for_store text not null,
  product text not null,
  at timestamptz not null default now(),
  taken_back boolean not null default false,
  constraint subscription_receipts_pkey primary key (shop, transaction_id),
  constraint subscription_receipts_shop_check check (shop in ('app_store', 'play_store'))
);
comment on table subscription_receipts is 'Purchase in an app store. Each counts once, whatever becomes of the store it was for.';

create function cash_refuse_change()
 returns trigger
 language plpgsql
as $function$
begin
  if tg_op = 'DELETE' and current_setting('serai.removes_tenant', true) = 'yes' then return null; end if;
  raise exception '% is a ledger: its rows are never changed or deleted. Post what undoes them instead.', tg_table_name using errcode = 'restrict_violation';
end
$function$;

create trigger final before delete or truncate on ledger_entries for each statement execute function cash_refuse_change();

create trigger kept before update on ledger_entries for each row when (((new.stands and (new.kind <> 'remittance')) or ((to_jsonb(old.*) - 'stands') <> (to_jsonb(new.*) - 'stands')))) execute function cash_refuse_change();
