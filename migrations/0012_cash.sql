-- Cash on delivery: what carriers collected for a store, kept of it, and paid.

-- A tracking number as it is matched: carriers' sheets differ in case and spaces from what their API said.
create function cash_fold(tracking text) returns text language sql immutable strict parallel safe
  return upper(regexp_replace(tracking, '[[:space:]]+', '', 'g'));
create index parcels_folded on parcels (carrier_account_id, cash_fold(tracking_id)) where tracking_id is not null;

-- A payout: one of the carrier's own, under its id there, or a sheet that was uploaded, once by its content.
-- 'opening' stands for all that was paid before there was a ledger.
create table cash_remittances (
  project_id text not null references projects,
  connection_id text not null,
  id text collate "C" not null,
  source text not null check (source in ('carrier', 'file', 'opening')),
  state text not null default 'draft' check (state in ('draft', 'confirmed', 'reversed')),
  file_hash text check ((source = 'file') = (file_hash is not null)),
  file_name text,
  carrier_status text,
  -- What the payout says of itself.
  amount numeric(19,4) not null,
  parcels integer not null,
  paid_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  reversed_at timestamptz,
  primary key (project_id, connection_id, id)
);
create unique index on cash_remittances (project_id, connection_id, file_hash) where file_hash is not null;
create index on cash_remittances (project_id, connection_id, paid_at, id);

-- As the payout states it. What a line settled is noted with it when the payout is confirmed.
create table cash_remittance_lines (
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
  outcome text check (outcome in ('matched', 'short', 'excess', 'unknown', 'paid_already', 'not_delivered')),
  parcel_id text,
  expected numeric(19,4),
  primary key (project_id, connection_id, remittance_id, line),
  foreign key (project_id, connection_id, remittance_id) references cash_remittances,
  check (tracking is not null or reference is not null),
  check (amount is not null or net is not null)
);
create index on cash_remittance_lines (project_id, connection_id, folded);
create index on cash_remittance_lines (project_id, connection_id, reference) where reference is not null;

-- The ledger. An entry moves money between five accounts of a connection, and moves none from nowhere: its amounts come to zero.
--   carrier: what the carrier owes us · sales: what it collected for us (negative) · fees: what it kept
--   bank: what arrived · difference: what was short (positive) or too much (negative)
create table cash_entries (
  project_id text not null references projects,
  id bigint not null generated always as identity,
  connection_id text not null,
  kind text not null check (kind in ('delivered', 'undelivered', 'remittance', 'reversal')),
  parcel_id text collate "C",
  remittance_id text collate "C",
  undoes_id bigint,
  carrier numeric(19,4) not null default 0,
  sales numeric(19,4) not null default 0,
  fees numeric(19,4) not null default 0,
  bank numeric(19,4) not null default 0,
  difference numeric(19,4) not null default 0,
  -- Whether nothing has undone it yet; only what can be undone stands.
  stands boolean not null,
  at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, parcel_id) references parcels,
  foreign key (project_id, connection_id, remittance_id) references cash_remittances,
  foreign key (project_id, undoes_id) references cash_entries,
  constraint cash_entries_balanced check (carrier + sales + fees + bank + difference = 0),
  check ((kind in ('undelivered', 'reversal')) = (undoes_id is not null)),
  check (not stands or undoes_id is null),
  check (kind <> 'remittance' or remittance_id is not null),
  check (kind not in ('delivered', 'undelivered') or parcel_id is not null)
);
-- A parcel is delivered once at a time, and paid once: whatever names it again cannot be posted until that is undone.
create unique index cash_entries_once on cash_entries (project_id, parcel_id, kind) where stands and parcel_id is not null;
create unique index cash_entries_undone_once on cash_entries (project_id, undoes_id) where undoes_id is not null;
-- By the connection alone: a look-up of a parcel's entries must never seem as cheap by one of these as by the key above.
create index on cash_entries (connection_id, at);
create index on cash_entries (connection_id, remittance_id) where remittance_id is not null;
create index cash_entries_delivered on cash_entries (connection_id, at, id) where stands and kind = 'delivered';

create function cash_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is a ledger: its rows are never changed or deleted. Post what undoes them instead.', tg_table_name using errcode = 'restrict_violation';
end
$$;
create trigger final before delete or truncate on cash_entries for each statement execute function cash_refuse_change();
-- One thing changes: what stood is undone.
create trigger kept before update on cash_entries for each row
  when (new.stands or to_jsonb(old) - 'stands' <> to_jsonb(new) - 'stands') execute function cash_refuse_change();

-- Which column of a carrier's sheet is what, once somebody said so.
create table cash_sheet_columns (
  connection_id text primary key,
  columns jsonb not null
);

-- The ledger begins with what was delivered before it; what was confirmed as paid by then is settled in full.
insert into cash_entries (project_id, connection_id, kind, parcel_id, carrier, sales, stands, at)
select project_id, carrier_account_id, 'delivered', id, cod_amount, -cod_amount, true, coalesce(delivered_at, updated_at)
from parcels where status = 'delivered' and cod_amount > 0 and carrier_account_id is not null;

insert into cash_remittances (project_id, connection_id, id, source, state, amount, parcels, confirmed_at)
select project_id, carrier_account_id, 'opening', 'opening', 'confirmed', sum(cod_amount), count(*), now()
from parcels where status = 'delivered' and cash_status = 'payout_confirmed' and cod_amount > 0 and carrier_account_id is not null
group by project_id, carrier_account_id;

insert into cash_remittance_lines (project_id, connection_id, remittance_id, line, tracking, reference, amount, fee, net, outcome, parcel_id, expected)
select project_id, carrier_account_id, 'opening', row_number() over (partition by project_id, carrier_account_id order by id),
  tracking_id, reference, cod_amount, 0, cod_amount, 'matched', id, cod_amount
from parcels where status = 'delivered' and cash_status = 'payout_confirmed' and cod_amount > 0 and carrier_account_id is not null;

insert into cash_entries (project_id, connection_id, kind, parcel_id, remittance_id, carrier, bank, stands, at)
select project_id, connection_id, 'remittance', parcel_id, 'opening', -amount, amount, true, now()
from cash_remittance_lines where remittance_id = 'opening';

-- The tables may have grown by all that was ever delivered.
analyze cash_entries, cash_remittance_lines;
