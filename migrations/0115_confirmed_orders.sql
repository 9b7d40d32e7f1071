-- Stores that have given an order of their confirmation queue to somebody: they send only what was confirmed, unless a setting says otherwise.
create table confirmation_uses (
  store_id text collate "C" primary key references stores on delete cascade,
  first_at timestamptz not null default now()
);
insert into confirmation_uses (store_id, first_at)
select s.id, coalesce(c.first_at, now()) from stores s
left join lateral (select min(created_at) as first_at from confirmation_calls where store_id = s.id) c on true
where c.first_at is not null or exists (select 1 from confirmation_queue q where q.store_id = s.id and q.leased_by is not null);
