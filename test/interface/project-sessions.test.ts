import { describe, expect, test } from 'bun:test'
import { permissions } from '../../core/http/auth/scopes.ts'
import { type Answer, startApp } from '../support/app.ts'
import { type Described, describedBy, parametersOf, readDocument, takes } from '../support/openapi.ts'
import { bodyOf, pathOf, queryOf, richTenant } from '../support/rich-tenant.ts'

const app = await startApp()
await app.person('The administrator') // the first account sees everything; no test wants to be it
const tenant = await richTenant(app)
const other = await app.shop()

/** Operations of a project: keys may leave the store out, and users name it in the query. */
const isOfProject = (described: Described) =>
  takes(described, 'session') &&
  takes(described, 'apiKey') &&
  parametersOf(described, 'query').some(({ name, description }) => name === 'storeId' && description?.startsWith('The store whose project'))

/** What the tenant's things do not allow, whoever asks. */
const REFUSED: Readonly<Record<string, string>> = {
  listMovements: '400 invalid_request /query',
  submitParcel: '400 invalid_request /body/carrierAccountId',
  createAiTask: '404 not_found',
}

/** What takes something away comes last. */
const TURN = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const operations = describedBy(await readDocument(app))
  .filter(isOfProject)
  .toSorted((one, next) => TURN.indexOf(one.method) - TURN.indexOf(next.method))
const table = operations.map((described) => [`${described.method} ${described.path}`, described] as const)

const query = (described: Described, storeId: string | null) => {
  const asked = new URLSearchParams(queryOf(tenant, described))
  asked.delete('storeId')
  if (storeId !== null) asked.set('storeId', storeId)
  return asked.size > 0 ? `?${asked}` : ''
}

const ask = (described: Described, as: string, storeId: string | null = tenant.storeId): Promise<Answer> => {
  const body = bodyOf(tenant, described)
  return app.call(described.method, pathOf(tenant, described) + query(described, storeId), { as, ...(body !== undefined && { body }) })
}
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''} ${body?.error?.details?.[0]?.path ?? ''}`.trim()

test('parcels, webhook endpoints, inventory, places and AI tasks are open to users', () => {
  expect(operations.length).toBeGreaterThanOrEqual(45)
})

describe('an operation of a project, asked by a user', () => {
  const member = () => app.person('Member')

  test.each(table)('%s needs the store', async (_, described) => {
    const answer = await ask(described, tenant.as, null)
    expect(outcome(answer)).toBe('400 invalid_request /query/storeId')
    expect(answer.body.error.details[0].message).toContain('?storeId=')
  })

  test.each(table)("%s hides the store from another store's owner", async (_, described) => {
    expect(outcome(await ask(described, other.owner.token))).toBe('404 not_found')
  })

  test.each(table)("%s does not find the tenant's things in another store", async (_, described) => {
    const answer = await ask(described, other.owner.token, other.storeId)
    const text = JSON.stringify(answer.body)
    for (const id of [tenant.parcel.id, tenant.endpoint.id, tenant.operation.id, tenant.reservation.id, tenant.batch.id])
      expect(text).not.toContain(id)
    if (described.path.includes('{id}')) expect([404, 403]).toContain(answer.status)
  })

  test.each(table)('%s needs its permission', async (_, described) => {
    const { 'x-permission': permission } = described.operation
    const { id, token } = await member()
    const given = permissions.filter((each) => each !== permission)
    await app.context.sql`insert into store_members (store_id, user_id, role, permissions)
      values (${tenant.storeId}, ${id}, 'admin', ${given as string[]})`
    const answer = await ask(described, token)
    expect(outcome(answer)).toBe('403 forbidden')
    expect(answer.body.error.message).toContain(`permission ${permission} `)
  })

  test.each(table)('%s hides the store from the key of another project', async (_, described) => {
    // The other project has not enabled the product of AI tasks, which is checked first.
    const isAi = described.path.startsWith('/v1/ai/')
    expect(outcome(await ask(described, other.key))).toBe(isAi ? '403 product_not_enabled' : '404 not_found')
  })

  test.each(table)('%s is open to the owner', async (_, described) => {
    const answer = await ask(described, tenant.as)
    const refusal = REFUSED[described.operation.operationId]
    if (refusal) expect(outcome(answer)).toBe(refusal)
    else expect([outcome(answer), answer.status < 300 || answer.status === 409]).toEqual([outcome(answer), true])
  })
})

test('the cookie of the console counts as the session', async () => {
  const headers = { cookie: `serai_console=${tenant.as}` }
  const read = (storeId: string) => app.call('GET', `/v1/parcels?storeId=${storeId}`, { headers })
  expect((await read(tenant.storeId)).body.data.length).toBeGreaterThan(0)
  expect(outcome(await read(other.storeId))).toBe('404 not_found')
})

test('one Idempotency-Key of a user is not one write in two stores', async () => {
  const { data: second } = await app.ok('POST', '/v1/stores', {
    as: tenant.as,
    body: { name: 'Second', countryCode: 'DZ', currencyCode: 'DZD' },
  })
  const post = (storeId: string) =>
    app.call('POST', `/v1/inventory/operations?storeId=${storeId}`, {
      as: tenant.as,
      headers: { 'idempotency-key': 'one-key' },
      body: { type: 'receive', legs: [{ namespace: 'main', key: 'A', quantity: 1 }] },
    })
  expect(outcome(await post(tenant.storeId))).toBe('201')
  expect(outcome(await post(tenant.storeId))).toBe('201')
  expect(outcome(await post(second.id))).toBe('422 idempotency_key_reused')
})

test('the audit log names the user who created a parcel', async () => {
  const { data: parcel } = await app.ok('POST', `/v1/parcels?storeId=${tenant.storeId}`, {
    as: tenant.as,
    body: {
      recipient: { name: 'Amina Saadi', phone: '0550123456' },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'cité 5 juillet', deliveryType: 'home' },
      codAmount: 100,
      carrierAccountId: tenant.carrier.id,
    },
  })
  const { data: entries } = await app.ok('GET', `/v1/stores/${tenant.storeId}/audit?limit=5`, { as: tenant.as })
  const entry = entries.find(({ what, thing }: { what: string; thing: string }) => what === 'parcel.created' && thing === parcel.id)
  expect(entry.by).toMatchObject({ kind: 'person', id: tenant.owner.id })
})
