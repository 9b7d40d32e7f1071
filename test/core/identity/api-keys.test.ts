import { describe, expect, test } from 'bun:test'
import { openAuthenticator } from '../../../core/identity/auth/credentials/authenticate.ts'
import { lastUsedRecorder } from '../../../core/identity/auth/credentials/last-used.ts'
import { type Answer, startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const app = await startApp()
const { call, ok } = app
const { sql, shared, vault, database } = app.context
const admin = await app.person('The administrator')
const shop = await app.shop()
const keys = `/v1/projects/${shop.projectId}/api-keys`
const as = shop.owner.token
const scopes = ['parcels:read']

const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const newKey = async (body: Record<string, unknown> = {}) => (await ok('POST', keys, { as, body: { name: 'one', scopes, ...body } })).data
const parcels = (key: string) => call('GET', '/v1/parcels', { as: key })

describe('an API key', () => {
  test('ends when it said it would, to the moment, however fresh its check is', async () => {
    const ends = Date.now() + 700
    const { key, id } = await newKey({ expiresAt: new Date(ends).toISOString() })
    const seen: [number, number][] = []
    while (Date.now() < ends + 150) {
      const began = Date.now()
      const { status } = await parcels(key)
      seen.push([status, began])
    }
    expect(seen.filter(([status, began]) => status === 200 && began >= ends)).toEqual([])
    expect(seen.filter(([status, began]) => status === 401 && began < ends - 50)).toEqual([])
    const refused = await parcels(key)
    expect(outcome(refused)).toBe('401 invalid_api_key')
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="invalid_token", error_description="This API key is unknown, revoked or expired."',
    )
    const { data } = await ok('GET', `${keys}?filter[state]=expired`, { as })
    expect(data.map((row: { id: string; state: string }) => [row.id, row.state])).toEqual([[id, 'expired']])
  })

  test('is not made for a moment that is over, nor with scopes that its maker lacks', async () => {
    const make = (credential: string, body: object) => call('POST', keys, { as: credential, body: { name: 'x', scopes, ...body } })
    expect(outcome(await make(as, { expiresAt: '2020-01-01T00:00:00.000Z' }))).toBe('400 invalid_request')
    const { key } = await newKey({ scopes: ['tenants:manage', 'parcels:read'] })
    expect(outcome(await make(key, { scopes: ['orders:read'] }))).toBe('403 insufficient_scope')
    expect(outcome(await make(key, {}))).toBe('201')
  })

  test('says without an error what is missing, and with one what was wrong (RFC 6750)', async () => {
    const says = async (options: object) => (await call('GET', '/v1/parcels', options)).headers.get('www-authenticate')
    expect(await says({})).toBe('Bearer realm="api"')
    expect(await says({ as: `at_${'x'.repeat(43)}` })).toStartWith('Bearer error="invalid_token", error_description="')
    const { key } = await newKey({ scopes: ['geo:read'] })
    expect(await says({ as: key })).toBe('Bearer error="insufficient_scope", scope="parcels:read"')
  })

  test('is listed by name, state and part of its name; a revoked one where it is asked for', async () => {
    const [first, second] = [await newKey({ name: 'Zebra 100%' }), await newKey({ name: 'Aardvark' })]
    await ok('DELETE', `${keys}/${first.id}`, { as })
    const names = async (query: string) => (await ok('GET', `${keys}?${query}`, { as })).data.map(({ name }: { name: string }) => name)
    expect(await names('q=zebra')).toEqual([])
    expect(await names('q=zebra&filter[state]=revoked')).toEqual(['Zebra 100%'])
    const sorted = await names('sort=name')
    expect(sorted[0]).toBe('Aardvark')
    expect(sorted).toEqual(sorted.toSorted())
    const { data } = await ok('GET', `${keys}?q=aard`, { as })
    expect(data).toEqual([{ ...second, key: undefined, lastUsedAt: null }].map(({ key: _, ...row }) => row))
    expect(data[0]).toMatchObject({ createdBy: { userId: shop.owner.id, isHere: true }, revokedAt: null, state: 'active' })
    const page = await ok('GET', `${keys}?sort=name&limit=1`, { as })
    expect((await ok('GET', `${keys}?sort=name&limit=1&cursor=${page.nextCursor}`, { as })).data[0].name).toBe(sorted[1])
    expect(outcome(await call('GET', `${keys}?sort=lastUsedAt`, { as }))).toBe('400 invalid_request')
  })

  test('says when it was last used: written at most once a minute, and at the end', async () => {
    const { key, id } = await newKey()
    const used = async () => (await sql<{ at: Date | null }[]>`select last_used_at as at from api_keys where id = ${id}`)[0]!.at
    const writes = async () => Number((await sql<{ xmin: string }[]>`select xmin::text from api_keys where id = ${id}`)[0]!.xmin)
    const process = async (isLast: boolean) => {
      const uses = lastUsedRecorder(sql)
      const ear = database.pool(1)
      const { authenticate, stop } = await openAuthenticator(sql, ear, shared, vault, uses)
      for (let request = 0; request < 5; request += 1) await authenticate.find(key)
      await stop()
      return isLast ? uses.stop() : uses.flush()
    }
    expect(await used()).toBeNull()
    await process(false)
    const [first, written] = [await used(), await writes()]
    expect(Math.abs(Date.now() - Date.parse(String(first)))).toBeLessThan(10_000)
    await process(false)
    expect(await writes()).toBe(written)
    await process(true)
    expect(Date.parse(String(await used()))).toBeGreaterThan(Date.parse(String(first)))
    expect((await ok('GET', keys, { as })).data.find((row: { id: string }) => row.id === id).lastUsedAt).toBe(String(await used()))
  })

  test('is one of as many as its project may have', async () => {
    const { owner, projectId } = await app.shop()
    const { tenantId } = (await ok('GET', `/v1/projects/${projectId}`, { as: owner.token })).data
    const limits = { maxProjects: 2, maxKeysPerProject: 2 }
    await ok('PATCH', `/v1/tenants/${tenantId}`, { as: admin.token, body: { limits } })
    const make = () => call('POST', `/v1/projects/${projectId}/api-keys`, { as: owner.token, body: { name: 'x', scopes } })
    const answers = await Promise.all([make(), make(), make()])
    expect(answers.map(outcome).sort()).toEqual(['201', '422 limit_reached', '422 limit_reached'])
    const one = answers.find(({ status }) => status === 201)!.body.data
    await ok('DELETE', `/v1/projects/${projectId}/api-keys/${one.id}`, { as: owner.token })
    expect(outcome(await make())).toBe('201')
    // Stores have projects too.
    const store = { name: 'Another', countryCode: 'DZ', currencyCode: 'DZD' }
    const open = () => call('POST', '/v1/stores', { as: owner.token, body: store })
    expect((await Promise.all([open(), open(), open()])).map(outcome).sort()).toEqual(['201', '422 limit_reached', '422 limit_reached'])
  })
})

describe('a cached credential', () => {
  test('is not replaced by an older read that arrives late', async () => {
    const { key, id } = await newKey()
    const held = Promise.withResolvers<void>()
    const reading = Promise.withResolvers<void>()
    // A look-up whose answer is on its way while the key is revoked.
    const slow = new Proxy(sql, {
      apply: (target, self, given) => {
        const answer = Reflect.apply(target as never, self, given) as Promise<unknown>
        return typeof given[0]?.[0] === 'string' && given[0][0].includes('k.project_id, p.tenant_id')
          ? answer.then(async (rows) => {
              reading.resolve()
              await held.promise
              return rows
            })
          : answer
      },
    })
    const { authenticate, stop } = await openAuthenticator(slow as never, database.pool(1), shared, vault, lastUsedRecorder(sql))
    const found = authenticate.find(key)
    await reading.promise
    await ok('DELETE', `${keys}/${id}`, { as })
    held.resolve()
    expect(await found).not.toBeNull()
    expect(authenticate.isCached(key)).toBe(false)
    expect(await authenticate.find(key)).toBeNull()
    await stop()
  })

  test('is not used once changes can no longer be received', async () => {
    const { key } = await newKey()
    const ear = database.pool(1)
    const { authenticate, stop } = await openAuthenticator(sql, ear, shared, vault, lastUsedRecorder(sql))
    await authenticate.find(key)
    expect(authenticate.isCached(key)).toBe(true)
    await Bun.sleep(1_200)
    expect(authenticate.isCached(key)).toBe(true)
    await ear.end({ timeout: 0 })
    await until(async () => !authenticate.isCached(key), 1_000)
    await stop()
  })

  test('ends with what changes in the database, in the order in which that is committed', async () => {
    const [first, second] = [await newKey(), await newKey()]
    expect([(await parcels(first.key)).status, (await parcels(second.key)).status]).toEqual([200, 200])
    // Begun before the other, and committed long after it.
    const begun = Promise.withResolvers<void>()
    const commit = Promise.withResolvers<void>()
    const early = sql.begin(async (tx) => {
      await tx`update api_keys set revoked_at = now() where id = ${first.id}`
      begun.resolve()
      await commit.promise
    })
    await begun.promise
    await sql`update api_keys set revoked_at = now() where id = ${second.id}`
    await until(async () => (await parcels(second.key)).status === 401, 1_000)
    await Bun.sleep(900)
    expect((await parcels(first.key)).status).toBe(200)
    commit.resolve()
    await early
    await until(async () => (await parcels(first.key)).status === 401, 1_000)
  })
})
