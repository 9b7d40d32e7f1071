-- What lies where: one row for each (project, namespace, key, batch). It is inserted before it is first locked, and never deleted.
-- Its counters change only in the statement that writes the movement or the reservation line that they count.
create table inventory_balances (
  project_id text collate "C" not null references projects,
  namespace text collate "C" not null,
  key text collate "C" not null,
  batch text collate "C" not null,
  on_hand numeric(19,4) not null default 0,
  reserved numeric(19,4) not null default 0,
  unit_cost numeric(19,4) check (unit_cost >= 0),
  created_at timestamptz not null default now(),
  primary key (project_id, namespace, key, batch),
  constraint inventory_balances_covered check (on_hand >= reserved and reserved >= 0)
) with (fillfactor = 70);
create index on inventory_balances (project_id, key, namespace, batch);
create index on inventory_balances (project_id, batch, namespace, key);

create table inventory_reservations (
  project_id text collate "C" not null references projects,
  id text collate "C" not null,
  status text not null default 'active' check (status in ('active', 'fulfilled', 'released', 'expired')),
  reference text,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id)
);
create index on inventory_reservations (expires_at) where status = 'active' and expires_at is not null;

-- While its reservation is active, quantity - fulfilled of each line is counted in the balance's reserved.
create table inventory_reservation_lines (
  project_id text collate "C" not null,
  reservation_id text collate "C" not null,
  line integer not null,
  namespace text collate "C" not null,
  key text collate "C" not null,
  batch text collate "C" not null,
  quantity numeric(19,4) not null check (quantity > 0),
  fulfilled numeric(19,4) not null default 0 check (fulfilled between 0 and quantity),
  primary key (project_id, reservation_id, line),
  foreign key (project_id, reservation_id) references inventory_reservations,
  foreign key (project_id, namespace, key, batch) references inventory_balances
);

-- Holds no reference to projects: each operation has movements, and those are held by their balances. One row lock less for each write.
create table inventory_operations (
  project_id text collate "C" not null,
  id text collate "C" not null,
  type text not null check (type in ('receive', 'supplier_return', 'transfer', 'convert', 'fulfill', 'pos_sale', 'customer_return', 'adjust')),
  note text check (type <> 'adjust' or note is not null),
  reference text collate "C",
  reservation_id text collate "C",
  reverses_id text collate "C",
  created_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, reverses_id) references inventory_operations,
  foreign key (project_id, reservation_id) references inventory_reservations
);
create index on inventory_operations (project_id, created_at, id);
create index on inventory_operations (project_id, type, created_at, id);
create index on inventory_operations (project_id, reference, created_at, id) where reference is not null;
-- An operation is reversed at most once.
create unique index on inventory_operations (project_id, reverses_id) where reverses_id is not null;

-- position is drawn while the balance is locked, so it orders the lines of a balance as they happened.
create table inventory_movements (
  project_id text collate "C" not null,
  operation_id text collate "C" not null,
  line integer not null,
  position bigint not null generated always as identity,
  namespace text collate "C" not null,
  key text collate "C" not null,
  batch text collate "C" not null,
  quantity numeric(19,4) not null check (quantity <> 0),
  unit_cost numeric(19,4),
  balance_after numeric(19,4) not null check (balance_after >= 0),
  created_at timestamptz not null,
  primary key (project_id, operation_id, line),
  foreign key (project_id, operation_id) references inventory_operations,
  foreign key (project_id, namespace, key, batch) references inventory_balances
);
create index on inventory_movements (project_id, key, created_at, position);
create index on inventory_movements (project_id, namespace, created_at, position);

create function inventory_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is a ledger: its rows are never changed or deleted. Post a reversal instead.', tg_table_name using errcode = 'restrict_violation';
end
$$;
create trigger final before update or delete or truncate on inventory_operations for each statement execute function inventory_refuse_change();
create trigger final before update or delete or truncate on inventory_movements for each statement execute function inventory_refuse_change();
