-- What payouts take: a carrier deducts what it paid for a parcel that then came back, or charges for one that brings nothing.
--   deduction: takes a payment back, which stands no more as long as the deduction does; the parcel may be paid again
--   charge: fees alone; it pays nothing
alter table cash_entries drop constraint cash_entries_kind_check;
alter table cash_entries add constraint cash_entries_kind_check
  check (kind in ('delivered', 'undelivered', 'remittance', 'reversal', 'deduction', 'charge'));
alter table cash_entries add column takes_back_id bigint;
alter table cash_entries add constraint cash_entries_takes_back check ((kind = 'deduction') = (takes_back_id is not null));
alter table cash_entries add constraint cash_entries_of_payout check (kind not in ('deduction', 'charge') or remittance_id is not null);
alter table cash_entries add foreign key (project_id, takes_back_id) references cash_entries;
create unique index cash_entries_taken_back_once on cash_entries (project_id, takes_back_id) where stands and takes_back_id is not null;

-- A parcel that is paid again may come back again: each of its payments is taken back once.
drop index cash_entries_once;
create unique index cash_entries_once on cash_entries (project_id, parcel_id, kind, coalesce(takes_back_id, 0)) where stands and parcel_id is not null;

-- A payment stands again when its deduction is undone.
drop trigger kept on cash_entries;
create trigger kept before update on cash_entries for each row
  when ((new.stands and new.kind <> 'remittance') or to_jsonb(old) - 'stands' <> to_jsonb(new) - 'stands') execute function cash_refuse_change();

alter table cash_remittance_lines drop constraint cash_remittance_lines_outcome_check;
alter table cash_remittance_lines add constraint cash_remittance_lines_outcome_check
  check (outcome in ('matched', 'short', 'excess', 'unknown', 'paid_already', 'not_delivered', 'deducted', 'charged'));
-- What a payment stated is looked up by its parcel. By that alone: no other index must ever seem as cheap.
create index on cash_remittance_lines (parcel_id) where parcel_id is not null;
