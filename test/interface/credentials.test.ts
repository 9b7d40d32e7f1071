import { describe, expect, test } from 'bun:test'
import { type Answer, type CallOptions, startApp } from '../support/app.ts'
import { type Described, describedBy, isOpen, readDocument, takes } from '../support/openapi.ts'
import { bodyOf, CUSTOMER, pathOf, queryOf, richTenant } from '../support/rich-tenant.ts'
import { casesAt } from '../support/thorough.ts'
import { foreignRequests } from './foreign.ts'

const app = await startApp()
await app.person('The administrator') // the first account sees everything; no test wants to be it
const tenant = await richTenant(app)
const neighbour = await richTenant(app)
const stranger = await app.shop()
// Products are checked before the store that a request names.
await app.context.sql`update projects set products = products || '{ai}' where id = ${stranger.projectId}`
const operations = describedBy(await readDocument(app))
const secured = operations.filter(({ operation: { security = [] } }) => security.length > 0)

const ask = (described: Described, options: CallOptions): Promise<Answer> => {
  const body = bodyOf(tenant, described)
  return app.call(described.method, pathOf(tenant, described) + queryOf(tenant, described), {
    ...(body !== undefined && { body }),
    ...options,
  })
}

const title = ({ method, path }: Described) => `${method} ${path}`
const table = (rows: readonly Described[]) => rows.map((described) => [title(described), described] as const)
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()

/** A list and a CSV file may be empty, and what is answered row by row say of each row that nothing came of it. */
const isRefusal = ({ status, body }: Answer) =>
  status < 300
    ? typeof body === 'string'
      ? body.trim().split('\n').length === 1
      : Array.isArray(body.data) && body.data.every((row: { error?: object; deleted?: boolean }) => row.error || row.deleted === false)
    : status >= 400 && status < 500

/** Where work that goes on after its answer is read. */
const workPaths: Readonly<Record<string, string>> = {
  createBatch: '/v1/parcels/batches',
  startOrderJob: '/v1/orders/bulk',
  printOrderLabels: '/v1/orders/bulk',
}

/** A batch and a job are worked after their answer. */
async function cameToNothing({ status, body }: Answer, path: string): Promise<boolean> {
  if (status >= 300) return status >= 400 && status < 500
  for (let tries = 0; tries < 1_000; tries += 1) {
    const { data: work } = await app.ok('GET', `${path}/${body.data.id}`, { as: neighbour.key })
    if (work.completedAt !== null) return (work.succeeded ?? work.done) === 0 && work.failed === work.total
    await Bun.sleep(50)
  }
  return false
}

/** Everything that names a thing of the tenant. */
const secrets = [
  tenant.storeId,
  tenant.projectId,
  tenant.owner.id,
  tenant.viewer.id,
  tenant.product.id,
  tenant.order.id,
  tenant.sent.id,
  tenant.parcel.id,
  tenant.sentParcel.id,
  tenant.sentParcel.trackingId,
  tenant.batch.id,
  tenant.job.id,
  tenant.promo.id,
  tenant.operation.id,
  tenant.reservation.id,
  tenant.endpoint.id,
  tenant.delivery.id,
  tenant.spareKey.id,
  tenant.session.id,
  tenant.carrier.id,
  CUSTOMER.name,
]

describe('without a credential', () => {
  test.each(table(secured.filter((described) => !isOpen(described))))('%s is refused', async (_, described) => {
    const answer = await ask(described, {})
    expect(outcome(answer)).toBe('401 unauthenticated')
    expect(answer.headers.get('www-authenticate')).toStartWith('Bearer')
  })
  test.each(table(operations.filter(({ operation }) => operation['x-callback'])))(
    '%s takes nothing that is not signed',
    async (_, described) => {
      const answer = await ask(described, { raw: '{"tracking":"SBX1","status":"delivered"}' })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
    },
  )
})

describe('with a credential that nobody gave', () => {
  const credentials: readonly (readonly [given: CallOptions, refusal: string])[] = [
    [{ as: `sk_${'x'.repeat(43)}` }, '401 invalid_api_key'],
    [{ as: `st_${'x'.repeat(43)}` }, '401 invalid_token'],
    [{ as: 'nonsense' }, '401 invalid_token'],
    [{ headers: { authorization: 'Basic eDp5' } }, '401 invalid_token'],
  ]
  for (const [at, described] of secured.entries())
    test(`${title(described)} is refused`, async () => {
      for (const [given, refusal] of casesAt(credentials, at)) expect(outcome(await ask(described, given))).toBe(refusal)
    })
})

describe('with a credential of the wrong kind, scope or role', () => {
  test.each(table(secured.filter((described) => !takes(described, 'session'))))('%s is refused to a session', async (_, described) => {
    expect(outcome(await ask(described, { as: tenant.as }))).toBe('403 forbidden')
  })
  test.each(table(secured.filter((described) => !takes(described, 'apiKey'))))('%s is refused to a key', async (_, described) => {
    expect(outcome(await ask(described, { as: tenant.key }))).toBe('403 forbidden')
  })
  test.each(table(secured.filter(({ operation }) => operation['x-scope'])))(
    '%s is refused to a key without its scope',
    async (_, described) => {
      const scope = described.operation['x-scope']!
      const answer = await ask(described, { as: scope === 'geo:read' ? tenant.otherKey.key : tenant.spareKey.key })
      expect(outcome(answer)).toBe('403 insufficient_scope')
      expect(answer.headers.get('www-authenticate')).toContain(`scope="${scope}"`)
    },
  )
  test.each(table(secured.filter(({ operation }) => ['agent', 'admin', 'owner'].includes(operation['x-role'] ?? ''))))(
    '%s is refused to a viewer',
    async (_, described) => {
      expect(outcome(await ask(described, { as: tenant.viewer.token }))).toBe('403 forbidden')
    },
  )
})

/** What the request itself says of the tenant; only the rest would be news to a stranger. */
const said = (described: Described) => {
  const request = pathOf(tenant, described) + queryOf(tenant, described) + JSON.stringify(bodyOf(tenant, described) ?? '')
  return secrets.filter((secret) => request.includes(secret))
}
const namesTenant = (described: Described) => said(described).length > 0

describe("with another tenant's credential", () => {
  const kinds = [
    ['session', stranger.owner.token],
    ['apiKey', stranger.key],
  ] as const
  for (const [kind, credential] of kinds) {
    const rows = secured.filter((described) => takes(described, kind))
    test.each(table(rows.filter((described) => namesTenant(described) && !isOpen(described))))(
      `%s is not there for a stranger's ${kind}`,
      async (_, described) => {
        const answer = await ask(described, { as: credential })
        const inPath = secrets.some((secret) => pathOf(tenant, described).includes(secret))
        // A caller who does not administer the platform learns nothing from it: the answer is equal for every id.
        if (described.operation['x-role'] === 'admin of the platform') expect(outcome(answer)).toBe('403 forbidden')
        else if (inPath) expect(outcome(answer)).toBe('404 not_found')
        else expect([400, 404, 422]).toContain(answer.status)
        expect(answer.body.data).toBeUndefined()
      },
    )
    test.each(table(rows.filter((described) => !namesTenant(described) || isOpen(described))))(
      `%s shows a stranger's ${kind} nothing`,
      async (_, described) => {
        if (['signOut', 'revokeAllTokens'].includes(described.operation.operationId)) return
        const text = JSON.stringify((await ask(described, { as: credential })).body)
        // A store's id is what its public names it by, and what it sells is for everybody.
        const known = [...said(described), ...(isOpen(described) ? [tenant.storeId, tenant.product.id] : [])]
        expect(secrets.filter((secret) => text.includes(secret) && !known.includes(secret))).toEqual([])
      },
    )
  }

  test.each(table(operations.filter((described) => !described.operation['x-callback'])))(
    "%s takes no id of another tenant's, wherever it stands",
    async (_, described) => {
      const as = takes(described, 'apiKey') ? neighbour.key : neighbour.as
      for (const { at, name, id, path, body } of foreignRequests(neighbour, tenant, described)) {
        // What is open is open for this: a store's public, an order that is followed by who knows its id.
        if (isOpen(described) && (name === 'storeId' || at.startsWith('path'))) continue
        const answer = await app.call(described.method, path, { ...(body !== undefined && { body }), as })
        const text = JSON.stringify(answer.body)
        expect([at, secrets.filter((secret) => secret !== id && text.includes(secret))]).toEqual([at, []])
        const workPath = workPaths[described.operation.operationId]
        if (workPath) expect([at, await cameToNothing(answer, workPath)]).toEqual([at, true])
        else expect([at, answer.status, isRefusal(answer)]).toEqual([at, answer.status, true])
      }
    },
  )

  test('nothing of the tenant has changed', async () => {
    const read = async (path: string) => (await app.ok('GET', path, { as: tenant.key })).data
    // A payment can be started by anyone who knows the order's id; it is a change of the order.
    const { paymentStatus, updatedAt, version, ...order } = tenant.order
    expect(await read(`/v1/orders/${tenant.order.id}`)).toMatchObject(order)
    expect(await read(`/v1/parcels/${tenant.parcel.id}`)).toEqual(tenant.parcel)
    expect(await read(`/v1/promos/${tenant.promo.id}`)).toEqual(tenant.promo)
    expect(await read(`/v1/inventory/operations/${tenant.operation.id}`)).toEqual(tenant.operation)
    expect(await read(`/v1/inventory/reservations/${tenant.reservation.id}`)).toEqual(tenant.reservation)
    expect(await read(`/v1/stores/${tenant.storeId}/integrations/sandbox`)).toEqual(tenant.carrier)
    expect((await read('/v1/products?status=active')).map(({ id }: { id: string }) => id)).toEqual([tenant.product.id])
    const { secret: _, ...endpoint } = tenant.endpoint
    expect(await read(`/v1/webhook-endpoints/${tenant.endpoint.id}`)).toEqual(endpoint)
  })
})

test('only health, the description, the bytes of files and callbacks are asked without any thought of credentials', () => {
  const bare = operations.filter(({ operation: { security = [], ...said } }) => security.length === 0 && !said['x-callback'])
  expect(bare.map(({ path }) => path)).toEqual([
    '/openapi',
    '/openapi.json',
    '/openapi.yaml',
    '/health/check',
    '/health/live',
    '/health/ready',
    '/v1/files/{id}/content',
  ])
})
