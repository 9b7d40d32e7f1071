import { expect, test } from 'bun:test'
import { listPersonalData } from '../../../core/data/personal-data/personal-data.ts'
import { startApp } from '../../support/app.ts'

const app = await startApp()

/** Tables in which no feature erases customers, by the reason. */
const WITHOUT_CUSTOMERS: Readonly<Record<string, string>> = {
  'ids, states and figures alone':
    'ai_entries ai_task_files api_keys ledger_entries connector_marks connector_stock confirmation_queue confirmation_uses ' +
    'confirmation_reasons order_changes ' +
    'inventory_balances inventory_movements inventory_reservation_lines inventory_reservations inventory_reversals imported_orders order_part_lines ' +
    'order_return_lines parcel_batches revocations store_views analytics_cells analytics_days analytics_marks carrier_calls processes sheet_leases ' +
    'manifests parcel_leases unknown_statuses status_rules row_sources sheet_targets remittance_sheet_columns order_status_counts',
  'references and numbers of parcels, which accounts need': 'remittance_lines',
  'accounts of people who sign in, who erase them themselves; they are no customers of a store':
    'users session_tokens passkeys passkey_challenges one_time_codes recovery_codes second_factors social_identities social_spent_tokens ' +
    'social_states social_tickets account_transfers store_invitations store_members tenant_members admin_actions tenants projects user_preferences',
  'mails to people who sign in, never to customers; the text is deleted when it is sent, and the row after days': 'mails webhook_notices',
  'sign-in of apps: tokens, and data that apps keep of people who sign in':
    'apps app_user_data oauth_access_tokens oauth_refresh_tokens oauth_codes oauth_grants oauth_requests oauth_states oauth_tokens ' +
    'mcp_secrets mcp_servers mcp_sign_ins vault_mark',
  'goods, pages and designs that a store shows to everybody':
    'products product_keys product_skus categories promos pages templates product_landing_page_templates store_landing_pages ' +
    'store_template_previews image_prompt_templates catalog_feeds connector_goods store_domains proxy_hosts',
  'settings and accounts of the store itself':
    'stores dispatch_rules connector_links webhook_endpoints ads_accounts ads_links ads_rules ads_spend ai_accounts plans ' +
    'subscriptions subscription_credits subscription_invoices subscription_receipts',
  'places and lists of the world, and of carriers':
    'countries states cities currencies options geo_borders geo_catalogue geo_imported carrier_places pickups pickup_sources',
  'what an erasure goes by: sealed, and deleted at its end': 'erasures',
  'our own bookkeeping': 'schema_migrations',
  'jobs, which carry ids alone': '_private_jobs _private_job_queues _private_known_crontabs _private_tasks migrations',
}

test('every table that can hold a text is declared as personal data, or is known to hold none of customers', async () => {
  const tables = await app.context.sql<{ name: string }[]>`
    select distinct c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')
      and (c.data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea') or c.udt_name = '_text')
      and not exists (select 1 from pg_class p where p.oid = format('%I.%I', c.table_schema, c.table_name)::regclass and p.relispartition)
    order by 1`
  const names = tables.map(({ name }) => name)
  const declared = listPersonalData().map(({ table }) => table)
  const without = Object.values(WITHOUT_CUSTOMERS).flatMap((list) => list.split(' '))
  expect(names.length).toBeGreaterThan(100)
  // Say where it is erased, as `personalData` of the feature that writes it, or why it has nothing to erase.
  expect(names.filter((name) => !declared.includes(name) && !without.includes(name))).toEqual([])
  expect(without.filter((name) => declared.includes(name))).toEqual([])
  expect(without.filter((name) => !names.includes(name) && name !== 'migrations')).toEqual([])
  expect(without.filter((name, at) => without.indexOf(name) !== at)).toEqual([])
})
