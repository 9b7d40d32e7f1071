-- What gateways send to the bank of what customers paid, and what each of it is made of.

-- Where the reading of a connection's payouts stands.
create table payout_pulls (
  connection_id text primary key,
  store_id text not null references stores,
  -- 'listing': payouts are asked for, page by page; 'reading': their lines are, and what arrived is posted.
  status text not null default 'done' check (status in ('listing', 'reading', 'done', 'failed')),
  -- Which reading it is: whoever began with another one stops.
  turn integer not null default 0,
  -- From when payouts are listed in it, and where its next page begins.
  since timestamptz,
  cursor text,
  pages integer not null default 0,
  message text,
  -- How often it failed, one time after another.
  failures integer not null default 0,
  began_at timestamptz,
  finished_at timestamptz,
  due_at timestamptz not null default now()
);
create index payout_pulls_due on payout_pulls (due_at);
create index payout_pulls_of_store on payout_pulls (store_id, connection_id);

create table gateway_payouts (
  store_id text not null references stores,
  id text collate "C" primary key,
  project_id text not null references projects,
  connection_id text not null,
  gateway text not null,
  external_id text not null,
  status text not null check (status in ('pending', 'in_transit', 'paid', 'failed', 'cancelled')),
  amount numeric(19,4) not null,
  currency text not null,
  -- How many decimals its amounts have at the gateway.
  decimals smallint not null check (decimals between 0 and 4),
  -- When its lines can be told.
  detail text not null check (detail in ('ready', 'later', 'never')),
  made_at timestamptz not null,
  arrives_at timestamptz,
  message text,
  -- Whether all its lines are here, and where their next page begins.
  complete boolean not null default false,
  line_cursor text,
  -- 'posted': it arrived, and what is known of it stands in the ledger; 'reversed': that was taken back.
  state text not null default 'open' check (state in ('open', 'posted', 'reversed')),
  -- Lines that wait for a person.
  waiting integer not null default 0 check (waiting >= 0),
  -- The payout that brought back the money of this one, which failed.
  returned_by text,
  posted_at timestamptz,
  reversed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index gateway_payouts_external on gateway_payouts (connection_id, external_id);
create index gateway_payouts_of_store on gateway_payouts (store_id, id);
create index gateway_payouts_by_status on gateway_payouts (store_id, status, id);
create index gateway_payouts_waiting on gateway_payouts (store_id, id) where waiting > 0;
-- Those of which something is still to be read, posted or taken back.
create index gateway_payouts_open on gateway_payouts (connection_id, id)
  where not complete or waiting > 0 or (state = 'posted') <> (status = 'paid');

create table gateway_payout_lines (
  payout_id text not null references gateway_payouts,
  id text collate "C" not null,
  -- In the order in which they were told.
  line integer not null,
  -- What the gateway calls it; empty where it says nothing of what the rest of the payout is.
  external_id text not null,
  kind text not null check (kind in ('payment', 'refund', 'fee', 'dispute', 'adjustment', 'returned', 'untold')),
  gross numeric(19,4) not null,
  fee numeric(19,4) not null,
  net numeric(19,4) not null,
  currency text not null,
  at timestamptz,
  message text,
  -- Whose it is, in the gateway's words.
  named_checkout text,
  named_payment text,
  named_refund text,
  named_refund_there text,
  named_payout text,
  -- What it came to: ours, when it was looked at last.
  outcome text check (outcome in ('matched', 'differs', 'paid_already', 'unknown', 'not_done', 'other_currency', 'fee', 'unexpected')),
  payment_id text,
  refund_id text,
  expected numeric(19,4),
  -- Nothing of it waits any more; it stands as long as its payout does.
  settled_at timestamptz,
  stands boolean not null default false,
  -- What it brought to the bank, where anything was posted for it.
  posted numeric(19,4),
  -- What a person said who accepted it as it is.
  reason text,
  primary key (payout_id, id),
  constraint gateway_payout_lines_add_up check (net = gross - fee),
  check (not stands or settled_at is not null),
  check (posted is null or stands)
);
create unique index gateway_payout_lines_told_once on gateway_payout_lines (payout_id, external_id);
create unique index gateway_payout_lines_in_order on gateway_payout_lines (payout_id, line);
create index gateway_payout_lines_waiting on gateway_payout_lines (payout_id, line) where settled_at is null;
-- A payment and a refund are paid out once, as far as we count.
create unique index gateway_payout_lines_paid_once on gateway_payout_lines (payment_id)
  where stands and kind = 'payment' and outcome in ('matched', 'differs', 'other_currency');
create unique index gateway_payout_lines_given_once on gateway_payout_lines (refund_id)
  where stands and kind = 'refund' and outcome in ('matched', 'differs', 'other_currency');
create index gateway_payout_lines_of_payment on gateway_payout_lines (payment_id) where payment_id is not null;

-- What a line of a payout moves: from what the gateway owes us to the bank, and to fees. Each line once, until its payout is taken back.
alter table cash_entries drop constraint cash_entries_kind_check;
alter table cash_entries add constraint cash_entries_kind_check
  check (kind in ('delivered', 'undelivered', 'remittance', 'reversal', 'deduction', 'charge', 'payment', 'refund', 'payout'));
alter table cash_entries add column payout_id text collate "C";
alter table cash_entries add column payout_line_id text collate "C";
alter table cash_entries add constraint cash_entries_of_gateway_payout
  check ((payout_id is null) = (payout_line_id is null) and (kind <> 'payout' or payout_id is not null) and (payout_id is null or kind in ('payout', 'reversal')));
create unique index cash_entries_paid_out_once on cash_entries (payout_id, payout_line_id, project_id) where stands and payout_id is not null;
create index cash_entries_of_payout_undone on cash_entries (payout_id) where payout_id is not null;

-- What is owed of payments is looked for by when they were paid.
create index payments_paid on payments (store_id, paid_at, id) where paid is not null;
