-- When the label of a parcel was last printed.

alter table parcels add column printed_at timestamptz;
comment on column parcels.printed_at is 'Last time its label was printed; null when it never was.';
