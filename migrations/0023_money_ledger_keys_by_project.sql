-- Payouts of gateways with their lines and pulls, the indexes of the ledger, and the columns of carriers' sheets begin with their project.

alter table gateway_payout_lines drop constraint gateway_payout_lines_payout_id_fkey;
-- Also drops the indexes that begin with it.
alter table gateway_payouts drop column store_id;
alter table gateway_payouts drop constraint gateway_payouts_pkey, add constraint gateway_payouts_pkey primary key (project_id, id);
drop index gateway_payouts_external, gateway_payouts_open;
create unique index gateway_payouts_external on gateway_payouts (project_id, connection_id, external_id);
create index gateway_payouts_by_status on gateway_payouts (project_id, status, id);
create index gateway_payouts_open on gateway_payouts (project_id, connection_id, id) where (not complete) or (waiting > 0) or ((state = 'posted') <> (status = 'paid'));
create index gateway_payouts_waiting on gateway_payouts (project_id, id) where waiting > 0;

alter table gateway_payout_lines add column project_id text;
update gateway_payout_lines l set project_id = p.project_id from gateway_payouts p where p.id = l.payout_id;
alter table gateway_payout_lines alter column project_id set not null;
alter table gateway_payout_lines drop constraint gateway_payout_lines_pkey, add constraint gateway_payout_lines_pkey primary key (project_id, payout_id, id);
alter table gateway_payout_lines add constraint gateway_payout_lines_payout_id_fkey foreign key (project_id, payout_id) references gateway_payouts(project_id, id);
drop index gateway_payout_lines_given_once, gateway_payout_lines_in_order, gateway_payout_lines_of_payment, gateway_payout_lines_paid_once, gateway_payout_lines_told_once, gateway_payout_lines_waiting;
create unique index gateway_payout_lines_given_once on gateway_payout_lines (project_id, refund_id) where stands and (kind = 'refund') and (outcome in ('matched', 'differs', 'other_currency'));
create unique index gateway_payout_lines_in_order on gateway_payout_lines (project_id, payout_id, line);
create index gateway_payout_lines_of_payment on gateway_payout_lines (project_id, payment_id) where payment_id is not null;
create unique index gateway_payout_lines_paid_once on gateway_payout_lines (project_id, payment_id) where stands and (kind = 'payment') and (outcome in ('matched', 'differs', 'other_currency'));
create unique index gateway_payout_lines_told_once on gateway_payout_lines (project_id, payout_id, external_id);
create index gateway_payout_lines_waiting on gateway_payout_lines (project_id, payout_id, line) where settled_at is null;

select key_by_project('payout_pulls');
alter table payout_pulls drop constraint payout_pulls_pkey, add constraint payout_pulls_pkey primary key (project_id, connection_id);
drop index payout_pulls_of_store;
-- Waiting jobs name a connection alone.
create index payout_pulls_of_connection on payout_pulls (connection_id);

drop index ledger_entries_connection_id_at_idx, ledger_entries_connection_id_remittance_id_idx, ledger_entries_delivered, ledger_entries_of_payout_undone, ledger_entries_paid_once, ledger_entries_paid_out_once;
create index ledger_entries_connection_id_at_idx on ledger_entries (project_id, connection_id, at);
create index ledger_entries_connection_id_remittance_id_idx on ledger_entries (project_id, connection_id, remittance_id) where remittance_id is not null;
create index ledger_entries_delivered on ledger_entries (project_id, connection_id, at, id) where stands and (kind = 'delivered');
create index ledger_entries_of_payout_undone on ledger_entries (project_id, payout_id) where payout_id is not null;
create unique index ledger_entries_paid_once on ledger_entries (project_id, payment_id, kind, coalesce(refund_id, '')) where stands and (payment_id is not null);
create unique index ledger_entries_paid_out_once on ledger_entries (project_id, payout_id, payout_line_id) where stands and (payout_id is not null);

alter table remittance_sheet_columns add column project_id text;
update remittance_sheet_columns c set project_id = i.project_id from integrations i where i.id = c.connection_id;
delete from remittance_sheet_columns where project_id is null;
alter table remittance_sheet_columns alter column project_id set not null;
alter table remittance_sheet_columns drop constraint remittance_sheet_columns_pkey, add constraint remittance_sheet_columns_pkey primary key (project_id, connection_id);
