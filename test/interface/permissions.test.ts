import { describe, expect, test } from 'bun:test'
import { type Permission, permissions, roles } from '../../core/http/auth/scopes.ts'
import { mapConcurrent } from '../../core/lib/async/map-concurrent.ts'
import { type Answer, startApp } from '../support/app.ts'
import { type Described, describedBy, permissionAtKind, readDocument } from '../support/openapi.ts'
import { bodyOf, pathOf, queryOf, richTenant } from '../support/rich-tenant.ts'

const app = await startApp()
await app.person('The administrator') // the first account sees everything; no test wants to be it
const tenant = await richTenant(app)
const operations = describedBy(await readDocument(app))
const member = await app.person('Member')
const leave = (given: readonly Permission[]) =>
  app.context.sql`insert into store_members (store_id, user_id, role, permissions)
    values (${tenant.storeId}, ${member.id}, 'admin', ${given as string[]})
    on conflict (store_id, user_id) do update set permissions = excluded.permissions`

/** What a member of the tenant needs for it; the connection that the tenant has is a carrier's. */
const neededFor = ({ operation: { 'x-by-kind': byKind, 'x-permission': permission } }: Described) =>
  byKind?.carrier ? permissionAtKind(byKind.carrier) : permission
/** Paths of one user's own things: they do not exist for anybody else. Other rights depend on the store that owns the thing. */
const OWN = /^\/v1\/chat\/(conversations|generations|jobs|proposals|skills|rules|mcp-servers)\/\{/
const isAsked = ({ path, operation }: Described) => operation['x-role'] !== 'owner' && !operation['x-callback'] && !OWN.test(path)
/** What is taken away last can still be asked about. */
const TURN = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const needing = (permission: Permission) =>
  operations
    .filter((described) => isAsked(described) && neededFor(described) === permission)
    .toSorted((one, other) => TURN.indexOf(one.method) - TURN.indexOf(other.method))

const ask = (described: Described): Promise<Answer> => {
  const body = bodyOf(tenant, described)
  const path = pathOf(tenant, described) + queryOf(tenant, described)
  return app.call(described.method, path, { as: member.token, ...(body !== undefined && { body }) })
}
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.message ?? ''}`.trim()
const answers = (rows: readonly Described[]) =>
  mapConcurrent(rows, 8, async (described) => `${described.operation.operationId}: ${outcome(await ask(described))}`)

describe('a member who was given permissions', () => {
  test.each(permissions)('without %s is refused all that needs it', async (permission) => {
    const isOpen = ({ operation }: Described) => operation['x-role'] === 'anybody' && permission.endsWith(':read')
    const open = needing(permission).filter(isOpen)
    const rows = needing(permission).filter((described) => !isOpen(described))
    expect(rows.length).toBeGreaterThan(0)
    await leave(permissions.filter((one) => one !== permission))
    // Every member may read what is open to all.
    expect((await answers(open)).filter((answer) => answer.includes('403'))).toEqual([])
    const refusal = `403 This needs the permission ${permission} in the store. Ask its owner for it.`
    expect(await answers(rows)).toEqual(rows.map(({ operation }) => `${operation.operationId}: ${refusal}`))
  })

  test('is refused what no permission names', async () => {
    await leave(permissions)
    const rows = operations.filter((described) => roles.some((role) => role === described.operation['x-role']) && !neededFor(described))
    const refused = (await answers(rows.filter(isAsked))).filter((answer) => answer.includes('403'))
    expect(refused).toEqual(['ensureProject: 403 This needs all permissions of your role in the store. Ask its owner for them.'])
  })

  test.each(permissions)('with %s alone is refused nothing that needs no more', async (permission) => {
    await leave([permission])
    expect((await answers(needing(permission))).filter((answer) => answer.includes(': 403 This needs'))).toEqual([])
  })
})
