import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connectPool, type Sql } from '../../../core/data/sql.ts'
import { freshDatabase } from '../../support/database.ts'

/** Tables that belong to nobody, and those whose rows are found by a name of their own before the project is known. */
const DIRECTORY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['countries', 'states', 'cities', 'currencies', 'options', 'geo_borders', 'geo_catalogue', 'geo_imported', 'plans'].map((name) => [
      name,
      'reference data',
    ]),
  ),
  ...Object.fromEntries(['processes', 'vault_mark', 'schema_migrations'].map((name) => [name, 'of the installation'])),
  ...Object.fromEntries(
    ['users', 'tenants', 'tenant_members', 'projects', 'stores', 'apps', 'app_user_data', 'account_transfers', 'admin_actions'].map(
      (name) => [name, 'accounts, above all projects'],
    ),
  ),
  ...Object.fromEntries(
    [
      'one_time_codes',
      'passkey_challenges',
      'passkeys',
      'recovery_codes',
      'second_factors',
      'session_tokens',
      'social_identities',
      'social_spent_tokens',
      'social_states',
      'social_tickets',
      'notifications',
      'user_preferences',
      'mails',
      'revocations',
    ].map((name) => [name, 'of a user']),
  ),
  ...Object.fromEntries(
    [
      'api_keys',
      'oauth_access_tokens',
      'oauth_codes',
      'oauth_grants',
      'oauth_refresh_tokens',
      'oauth_requests',
      'oauth_states',
      'idempotency_keys',
      'catalog_feeds',
      'mcp_sign_ins',
    ].map((name) => [name, 'found by a token or a key that the caller sends']),
  ),
  connector_links: 'found by the digest of a link',
  subscription_receipts: 'found by a transaction of an app shop',
  sheet_leases: 'locks a file of an outside platform, which several projects may write',
  store_domains: 'found by a host name',
  store_members: 'which stores a user has, over all projects',
  store_invitations: 'which stores invite an address, over all projects',
}

interface Key {
  readonly table: string
  readonly kind: 'column' | 'primary key' | 'unique key' | 'reference'
  readonly definition: string
  readonly begins: boolean
}

let sql: Sql
let keys: readonly Key[]

beforeAll(async () => {
  sql = connectPool(await freshDatabase(), 1)
  keys = await sql<Key[]>`
    with t as (select oid, relname::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition)
    select t.name as table, 'column' as kind, 'project_id' as definition,
      exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'project_id' and a.attnotnull)
        and not exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'store_id' and not a.attisdropped) as begins
    from t
    union all
    select t.name, case when i.indisprimary then 'primary key' else 'unique key' end, pg_get_indexdef(i.indexrelid),
      coalesce(pg_get_indexdef(i.indexrelid, 1, true) = 'project_id', false)
    from t join pg_index i on i.indrelid = t.oid where i.indisunique
    union all
    select t.name, 'reference', pg_get_constraintdef(k.oid), (select a.attname = 'project_id' from pg_attribute a where a.attrelid = t.oid and a.attnum = k.conkey[1])
    from t join pg_constraint k on k.conrelid = t.oid
    where k.contype = 'f' and k.confrelid::regclass::text <> all (${Object.keys(DIRECTORY)})`
})
afterAll(() => sql.end())

test('every table that belongs to a store or a project is keyed, unique and referenced by its project first', () => {
  const strays = keys.filter(({ table, begins }) => !begins && DIRECTORY[table] === undefined)
  expect(strays.map(({ table, kind, definition }) => `${table}: ${kind} ${definition}`)).toEqual([])
})

test('the tables of the directory exist, and none of them is keyed by its project', () => {
  const tables = new Set(keys.map(({ table }) => table))
  expect(Object.keys(DIRECTORY).filter((name) => name !== 'schema_migrations' && !tables.has(name))).toEqual([])
  const strays = new Set(keys.filter(({ begins }) => !begins).map(({ table }) => table))
  expect(Object.keys(DIRECTORY).filter((name) => tables.has(name) && !strays.has(name))).toEqual([])
})
