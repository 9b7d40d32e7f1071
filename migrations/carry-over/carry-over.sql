-- Carries a database that stands at the end of the migrations before the first release over to the baseline: renames alone.

alter table channel_callbacks rename to connector_callbacks;
alter table channel_goods rename to connector_goods;
alter table channel_links rename to connector_links;
alter table channel_marks rename to connector_marks;
alter table channel_orders rename to connector_orders;
alter table channel_stock rename to connector_stock;
alter table payment_news rename to payment_events;
alter table parcel_turns rename to parcel_leases;
alter table sheet_turns rename to sheet_leases;
alter table adapter_memory rename to adapter_storage;
alter table cash_entries rename to ledger_entries;
alter table cash_remittance_lines rename to remittance_lines;
alter table cash_remittances rename to remittances;
alter table cash_sheet_columns rename to remittance_sheet_columns;
alter table channels rename to connectors;
alter table connector_marks rename column channel_order_id to connector_order_id;

alter table adapter_storage rename constraint adapter_memory_pkey to adapter_storage_pkey;
alter table ledger_entries rename constraint cash_entries_balanced to ledger_entries_balanced;
alter table ledger_entries rename constraint cash_entries_check to ledger_entries_check;
alter table ledger_entries rename constraint cash_entries_check1 to ledger_entries_check1;
alter table ledger_entries rename constraint cash_entries_check2 to ledger_entries_check2;
alter table ledger_entries rename constraint cash_entries_check3 to ledger_entries_check3;
alter table ledger_entries rename constraint cash_entries_kind_check to ledger_entries_kind_check;
alter table ledger_entries rename constraint cash_entries_of_gateway_payout to ledger_entries_of_gateway_payout;
alter table ledger_entries rename constraint cash_entries_of_payment to ledger_entries_of_payment;
alter table ledger_entries rename constraint cash_entries_of_payout to ledger_entries_of_payout;
alter table ledger_entries rename constraint cash_entries_of_refund to ledger_entries_of_refund;
alter table ledger_entries rename constraint cash_entries_pkey to ledger_entries_pkey;
alter table ledger_entries rename constraint cash_entries_project_id_connection_id_remittance_id_fkey to ledger_entries_project_id_connection_id_remittance_id_fkey;
alter table ledger_entries rename constraint cash_entries_project_id_fkey to ledger_entries_project_id_fkey;
alter table ledger_entries rename constraint cash_entries_project_id_parcel_id_fkey to ledger_entries_project_id_parcel_id_fkey;
alter table ledger_entries rename constraint cash_entries_project_id_takes_back_id_fkey to ledger_entries_project_id_takes_back_id_fkey;
alter table ledger_entries rename constraint cash_entries_project_id_undoes_id_fkey to ledger_entries_project_id_undoes_id_fkey;
alter table ledger_entries rename constraint cash_entries_takes_back to ledger_entries_takes_back;
alter table remittance_lines rename constraint cash_remittance_lines_check to remittance_lines_check;
alter table remittance_lines rename constraint cash_remittance_lines_check1 to remittance_lines_check1;
alter table remittance_lines rename constraint cash_remittance_lines_outcome_check to remittance_lines_outcome_check;
alter table remittance_lines rename constraint cash_remittance_lines_pkey to remittance_lines_pkey;
alter table remittance_lines rename constraint cash_remittance_lines_project_id_connection_id_remittance__fkey to remittance_lines_project_id_connection_id_remittance__fkey;
alter table remittances rename constraint cash_remittances_check to remittances_check;
alter table remittances rename constraint cash_remittances_pkey to remittances_pkey;
alter table remittances rename constraint cash_remittances_project_id_fkey to remittances_project_id_fkey;
alter table remittances rename constraint cash_remittances_source_check to remittances_source_check;
alter table remittances rename constraint cash_remittances_state_check to remittances_state_check;
alter table remittance_sheet_columns rename constraint cash_sheet_columns_pkey to remittance_sheet_columns_pkey;
alter table connector_callbacks rename constraint channel_callbacks_connection_id_fkey to connector_callbacks_connection_id_fkey;
alter table connector_callbacks rename constraint channel_callbacks_pkey to connector_callbacks_pkey;
alter table connector_goods rename constraint channel_goods_connection_id_fkey to connector_goods_connection_id_fkey;
alter table connector_goods rename constraint channel_goods_id_key to connector_goods_id_key;
alter table connector_goods rename constraint channel_goods_pkey to connector_goods_pkey;
alter table connector_goods rename constraint channel_goods_store_id_fkey to connector_goods_store_id_fkey;
alter table connector_links rename constraint channel_links_outcome_check to connector_links_outcome_check;
alter table connector_links rename constraint channel_links_pkey to connector_links_pkey;
alter table connector_links rename constraint channel_links_store_id_fkey to connector_links_store_id_fkey;
alter table connector_marks rename constraint channel_marks_pkey to connector_marks_pkey;
alter table connector_orders rename constraint channel_orders_check to connector_orders_check;
alter table connector_orders rename constraint channel_orders_connection_id_fkey to connector_orders_connection_id_fkey;
alter table connector_orders rename constraint channel_orders_id_key to connector_orders_id_key;
alter table connector_orders rename constraint channel_orders_pkey to connector_orders_pkey;
alter table connector_orders rename constraint channel_orders_state_check to connector_orders_state_check;
alter table connector_orders rename constraint channel_orders_store_id_fkey to connector_orders_store_id_fkey;
alter table connector_stock rename constraint channel_stock_connection_id_fkey to connector_stock_connection_id_fkey;
alter table connector_stock rename constraint channel_stock_pkey to connector_stock_pkey;
alter table connector_stock rename constraint channel_stock_store_id_fkey to connector_stock_store_id_fkey;
alter table connectors rename constraint channels_connection_id_fkey to connectors_connection_id_fkey;
alter table connectors rename constraint channels_pkey to connectors_pkey;
alter table connectors rename constraint channels_pull_status_check to connectors_pull_status_check;
alter table parcel_leases rename constraint parcel_turns_pkey to parcel_leases_pkey;
alter table payment_events rename constraint payment_news_pkey to payment_events_pkey;
alter table sheet_leases rename constraint sheet_turns_pkey to sheet_leases_pkey;

alter index cash_entries_connection_id_at_idx rename to ledger_entries_connection_id_at_idx;
alter index cash_entries_connection_id_remittance_id_idx rename to ledger_entries_connection_id_remittance_id_idx;
alter index cash_entries_delivered rename to ledger_entries_delivered;
alter index cash_entries_of_payout_undone rename to ledger_entries_of_payout_undone;
alter index cash_entries_once rename to ledger_entries_once;
alter index cash_entries_paid_once rename to ledger_entries_paid_once;
alter index cash_entries_paid_out_once rename to ledger_entries_paid_out_once;
alter index cash_entries_taken_back_once rename to ledger_entries_taken_back_once;
alter index cash_entries_undone_once rename to ledger_entries_undone_once;
alter index cash_remittance_lines_parcel_id_idx rename to remittance_lines_parcel_id_idx;
alter index cash_remittance_lines_project_id_connection_id_folded_idx rename to remittance_lines_project_id_connection_id_folded_idx;
alter index cash_remittance_lines_project_id_connection_id_reference_idx rename to remittance_lines_project_id_connection_id_reference_idx;
alter index cash_remittances_project_id_connection_id_file_hash_idx rename to remittances_project_id_connection_id_file_hash_idx;
alter index cash_remittances_project_id_connection_id_paid_at_id_idx rename to remittances_project_id_connection_id_paid_at_id_idx;
alter index channel_callbacks_of rename to connector_callbacks_of;
alter index channel_callbacks_received_at_idx rename to connector_callbacks_received_at_idx;
alter index channel_callbacks_unworked rename to connector_callbacks_unworked;
alter index channel_goods_connection_id_id_idx rename to connector_goods_connection_id_id_idx;
alter index channel_links_expires_at_idx rename to connector_links_expires_at_idx;
alter index channel_marks_at_idx rename to connector_marks_at_idx;
alter index channel_orders_connection_id_id_idx rename to connector_orders_connection_id_id_idx;
alter index channel_orders_store_id_order_id_idx rename to connector_orders_store_id_order_id_idx;
alter index channel_orders_waiting rename to connector_orders_waiting;
alter index channel_orders_why rename to connector_orders_why;
alter index channel_stock_store_id_idx rename to connector_stock_store_id_idx;
alter index channels_account rename to connectors_account;
alter index channels_next_pull_at_idx rename to connectors_next_pull_at_idx;
alter index parcel_turns_until_idx rename to parcel_leases_until_idx;
alter index payment_news_at_idx rename to payment_events_at_idx;
alter index payment_news_early rename to payment_events_early;
alter index payment_news_payment_id_idx rename to payment_events_payment_id_idx;
alter sequence cash_entries_id_seq rename to ledger_entries_id_seq;
alter sequence channel_marks_id_seq rename to connector_marks_id_seq;

alter function channels_mark_known rename to connectors_mark_known;
alter function channels_mark_moved rename to connectors_mark_moved;
alter function channels_mark_numbered rename to connectors_mark_numbered;
alter trigger channels_moved on orders rename to connectors_moved;
alter trigger channels_numbered on parcels rename to connectors_numbered;
alter trigger channels_settled on connector_orders rename to connectors_settled;
alter trigger channels_waits on connector_orders rename to connectors_waits;
create or replace function connectors_mark_known()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into connector_marks (connection_id, connector_order_id) values (new.connection_id, new.id);
  return null;
end $function$;
create or replace function connectors_mark_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into connector_marks (connection_id, connector_order_id)
  select connection_id, id from connector_orders where store_id = new.store_id and order_id = new.id;
  return null;
end $function$;
create or replace function connectors_mark_numbered()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into connector_marks (connection_id, connector_order_id)
  select c.connection_id, c.id from orders o join connector_orders c on c.store_id = o.store_id and c.order_id = o.id where o.id = new.order_id;
  return null;
end $function$;
