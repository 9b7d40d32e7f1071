import { expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { enqueueDueRemovals, removeTenant } from '../../../core/identity/tenants/removal/removal.ts'
import { HOUR_MS } from '../../../core/lib/durations.ts'
import { startApp } from '../../support/app.ts'
import { richTenant } from '../../support/rich-tenant.ts'

const app = await startApp()
const { call, ok } = app
const { sql } = app.context
await app.person('The administrator')
const tenant = await richTenant(app)
const neighbour = await richTenant(app)
const signal = new AbortController().signal

/** How many rows of each table name one of these ids in any column. */
async function mentions(ids: readonly string[]): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname not in ('users', 'session_tokens', 'revocations', 'schema_migrations', 'idempotency_keys') and c.relname !~ '^idempotency'`
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from ${sql(name)} t where exists (select 1 from unnest(${ids as string[]}::text[]) id where position(id in to_jsonb(t)::text) > 0)`
    if (row!.count > 0) counts[name] = row!.count
  }
  return counts
}

async function idsOf({ storeId, projectId }: { storeId: string; projectId: string }) {
  const connections = await sql<{ id: string }[]>`select id from integrations where project_id = ${projectId}`
  return [storeId, projectId, ...connections.map(({ id }) => id)]
}

const isDue = () => sql`update tenants set deletes_at = now() - interval '1 second' where id = ${tenant.tenantId}`
const remove = () => removeTenant(app.context, tenant.tenantId, signal)

test('a tenant is removed when its time is over and nothing is under way, with every row of it and nothing else', async () => {
  const path = `/v1/tenants/${tenant.tenantId}`
  const refused = await call('DELETE', path, { as: tenant.as })
  expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
  expect(refused.body.error.message).toContain('parcels of the store are on their way')
  expect((await ok('GET', path, { as: tenant.as })).data.state).toBe('active')

  await sql`update parcels set status = 'delivered', delivered_at = now() where project_id = ${tenant.projectId}`
  await sql`update payments set status = 'failed' where project_id = ${tenant.projectId}`
  // Cash that a carrier has, of a parcel that arrived now, beside what was delivered before.
  await sql`insert into ledger_entries (project_id, connection_id, kind, parcel_id, carrier, sales, stands, at)
    values (${tenant.projectId}, ${tenant.carrier.id}, 'delivered', ${tenant.sentParcel.id}, 1200, -1200, true, now())`
  expect((await call('DELETE', path, { as: tenant.as })).body.error.message).toContain('Carriers have the cash of 2 parcels')
  await sql`insert into remittances (project_id, connection_id, id, source, state, amount, parcels, confirmed_at)
    values (${tenant.projectId}, ${tenant.carrier.id}, 'opening', 'opening', 'confirmed', 1200, 1, now())`
  await sql`insert into remittance_lines (project_id, connection_id, remittance_id, line, reference, amount)
    values (${tenant.projectId}, ${tenant.carrier.id}, 'opening', 1, 'a reference', 1200)`
  await sql`insert into ledger_entries (project_id, connection_id, kind, parcel_id, remittance_id, carrier, bank, stands, at)
    select project_id, connection_id, 'remittance', parcel_id, 'opening', -carrier, carrier, true, now() from ledger_entries
    where project_id = ${tenant.projectId} and kind = 'delivered'`
  expect((await call('DELETE', path, { as: tenant.as })).status).toBe(202)

  // What refers to another row of its table.
  const [{ id: parent }] = await sql<[{ id: string }]>`select id from categories where project_id = ${projectIdOf(tenant.storeId)} limit 1`
  await sql`insert into categories (project_id, id, parent_id, name, slug, position) values (${projectIdOf(tenant.storeId)}, 'cat_under', ${parent}, 'Under', 'under', 0)`
  await sql`insert into inventory_operations (project_id, id, type, note, reverses_id, created_at)
    values (${tenant.projectId}, 'op_zback', 'adjust', 'back', ${tenant.operation.id}, now())`

  const [own, others] = [await idsOf(tenant), await idsOf(neighbour)]
  // Marks are work to do: the server does it meanwhile, and deletes them.
  const { analytics_marks: _counts, connector_marks: _pushes, ...before } = await mentions(others)
  expect(Object.keys(await mentions(own)).length).toBeGreaterThan(20)

  // Not a day too early.
  await enqueueDueRemovals(app.context)
  await remove()
  expect((await ok('GET', path, { as: tenant.as })).data.state).toBe('deleting')

  // A parcel that came to life again keeps it for another day.
  await sql`update parcels set status = 'returning' where id = ${tenant.sentParcel.id} and project_id = ${tenant.projectId}`
  await isDue()
  await remove()
  const kept = (await ok('GET', path, { as: tenant.as })).data
  expect(Date.parse(kept.deletesAt)).toBeGreaterThan(Date.now() + 23 * HOUR_MS)
  await sql`update parcels set status = 'returned' where id = ${tenant.sentParcel.id} and project_id = ${tenant.projectId}`

  await isDue()
  await remove()
  expect((await call('GET', path, { as: tenant.as })).status).toBe(404)
  // What its people were told is theirs, and kept for thirty days.
  const { mails: _told, ...left } = await mentions(own)
  expect(left).toEqual({})
  expect((await call('GET', '/v1/users/auth', { as: tenant.as })).status).toBe(200)
  const after = await mentions(others)
  for (const [table, rows] of Object.entries(before)) expect([table, after[table] ?? 0]).toEqual([table, Math.max(rows, after[table] ?? 0)])
  // Again, it finds nothing to do.
  await remove()
})

test('tenant removal: ledgers of the remaining tenants lose nothing', async () => {
  for (const table of ['inventory_movements', 'inventory_operations', 'ledger_entries'])
    expect(await sql`delete from ${sql(table)} where project_id = ${neighbour.projectId}`.catch(({ message }) => message)).toContain(
      'is a ledger',
    )
})
