import { afterAll, expect, test } from 'bun:test'
import { carrier } from '../../../plugins/carrier/kind.ts'
import { definitionProblems } from '../../../plugins/host/check.ts'
import { connectionOwnersOf, type Kind } from '../../../plugins/kind.ts'
import passports from '../../support/adapters/passport/index.ts'
import { byTheClock } from '../../support/clock.ts'
import { until } from '../../support/until.ts'
import { startPlatform } from './oauth-platform.ts'
import { passportShop, startPassport } from './oauth-shop.ts'

const platform = startPlatform()
afterAll(() => platform.stop())
const app = await startPassport(platform)
const { call, ok, context } = app
const admin = await app.person('The administrator')
const shop = await passportShop(app, platform)
const KEY = 'passport-key'
const put = (key = 'right') => shop.put(KEY, { key })
const rates = () => call('GET', `${shop.base}/${KEY}/rates?stateCode=16`, { as: shop.as })

test('a connection says how it goes: how its test went, whether it is on, and when the other side last did what it was asked', async () => {
  expect(await put('wrong')).toMatchObject({ state: 'failed', status: 'failed', lastSuccessAt: null, attention: null, name: '' })
  const connected = await put()
  expect(connected).toMatchObject({ state: 'connected', status: 'connected' })
  await until(async () => (await shop.read(KEY)).lastSuccessAt !== null)
  const first = await shop.read(KEY)
  for (let calls = 0; calls < 5; calls += 1) expect((await shop.states(KEY)).status).toBe(200)
  await Bun.sleep(700)
  expect((await shop.read(KEY)).lastSuccessAt).toBe(first.lastSuccessAt)
  await ok('POST', `${shop.base}/${KEY}/enable`, { as: shop.as, body: { enabled: false } })
  expect(await shop.read(KEY)).toMatchObject({ state: 'disabled', status: 'connected', enabled: false })
  await ok('POST', `${shop.base}/${KEY}/enable`, { as: shop.as, body: { enabled: true } })
  expect((await shop.read(KEY)).state).toBe('connected')
})

test('where the other side takes the credentials no more, a person has to see to it: said once, and in one letter', async () => {
  platform.keys.delete('right')
  await Promise.all(Array.from({ length: 8 }, () => shop.states(KEY)))
  await until(async () => (await shop.letters()).length > 0)
  const { attentionSince, ...told } = await shop.read(KEY)
  expect(told).toMatchObject({ state: 'needs_attention', status: 'connected', attention: 'Passport does not know this token.' })
  await shop.states(KEY)
  await Bun.sleep(300)
  expect((await shop.read(KEY)).attentionSince).toBe(attentionSince)
  const letters = await shop.letters()
  expect(letters).toHaveLength(1)
  expect(letters[0]).toMatchObject({ to: shop.owner.email, subject: 'Passport, by key needs attention' })
  expect(letters[0]!.text).toContain(`/v1/stores/${shop.storeId}/integrations/${KEY}`)
  platform.keys.add('right')
})

test('that ends after the same operation, a test of the connection or new credentials succeed', async () => {
  const inNeed = async () => {
    platform.keys.delete('right')
    await shop.states(KEY)
    await until(async () => (await shop.read(KEY)).state === 'needs_attention')
    platform.keys.add('right')
  }
  expect((await shop.read(KEY)).state).toBe('needs_attention')
  // What needs no right succeeds all the same, and says nothing.
  expect((await rates()).status).toBe(200)
  await Bun.sleep(200)
  expect((await shop.read(KEY)).state).toBe('needs_attention')
  await shop.states(KEY)
  await until(async () => (await shop.read(KEY)).state === 'connected')

  await inNeed()
  await ok('POST', `${shop.base}/${KEY}/testConnection`, { as: shop.as })
  expect(await shop.read(KEY)).toMatchObject({ state: 'connected', attention: null, attentionSince: null })

  await inNeed()
  await ok('PATCH', `${shop.base}/${KEY}`, { as: shop.as, body: { enabled: false } })
  expect(await shop.read(KEY)).toMatchObject({ state: 'disabled', attention: expect.any(String) })
  expect(await put()).toMatchObject({ state: 'connected', attention: null })
})

test('credentials that were typed in since are not blamed for what those before them could not', async () => {
  platform.keys.delete('right')
  Object.assign(platform.faults, { on: '^GET /states', delayMs: 600 })
  const slow = shop.states(KEY)
  await until(() => platform.requests.at(-1)?.path === '/states' || platform.asked('/states') > 0)
  await Bun.sleep(100)
  platform.keys.add('other')
  expect(await put('other')).toMatchObject({ state: 'connected' })
  expect((await slow).status).toBe(502)
  platform.calm()
  await Bun.sleep(300)
  expect((await shop.read(KEY)).state).toBe('connected')
  platform.keys.add('right')
})

test('connection states: a locked row is skipped, and the others are still updated', byTheClock, async () => {
  const others = [await passportShop(app, platform), await passportShop(app, platform)] as const
  for (const other of others) {
    await ok('PUT', `${other.base}/${KEY}`, { as: other.as, body: { enabled: false, credentials: { key: 'right' } } })
    await ok('POST', `${other.base}/${KEY}/enable`, { as: other.as, body: { enabled: true } })
  }
  const [{ id }, { id: free }] = [await others[0].read(KEY), await others[1].read(KEY)]
  const held = Promise.withResolvers<void>()
  const holding = context.sql.begin(async (tx) => {
    await tx`select 1 from integrations where id = ${id} for update`
    await held.promise
  })
  const began = Date.now()
  for (const other of others) expect((await other.states(KEY)).status).toBe(200)
  await until(async () => (await context.sql`select 1 from integrations where id = ${free} and last_success_at is not null`).length > 0)
  expect(Date.now() - began).toBeLessThan(3_000)
  expect((await others[0].read(KEY)).lastSuccessAt).toBeNull()
  held.resolve()
  await holding
})

test('connections: a kind may have several connections to one adapter, with different names', async () => {
  const refused = await call('PUT', `${shop.base}/${KEY}`, {
    as: shop.as,
    body: { enabled: true, name: 'second', credentials: { key: 'right' } },
  })
  expect([refused.status, refused.body.error.details[0].path]).toEqual([422, '/body/name'])
  Object.assign(carrier, { multiple: true })
  try {
    const one = await shop.read(KEY)
    const path = `${shop.base}/${KEY}`
    const { data: second } = await ok('PUT', path, { as: shop.as, body: { enabled: true, name: 'second', credentials: { key: 'right' } } })
    expect([second.name, second.id === one.id]).toEqual(['second', false])
    const { data: again } = await ok('PUT', path, { as: shop.as, body: { enabled: false, name: 'second', credentials: { key: 'right' } } })
    expect(again).toMatchObject({ id: second.id, state: 'disabled' })
    const unsaid = await call('GET', path, { as: shop.as })
    expect([unsaid.status, unsaid.body.error.details[0].path]).toEqual([400, '/query/connection'])
    expect((await call('DELETE', path, { as: shop.as })).status).toBe(400)
    const chosen = `${path}?connection=${second.id}`
    expect((await ok('GET', chosen, { as: shop.as })).data).toMatchObject({ id: second.id, name: 'second' })
    expect((await ok('PATCH', chosen, { as: shop.as, body: { name: 'renamed' } })).data).toMatchObject({ id: second.id, name: 'renamed' })
    const taken = await call('PATCH', chosen, { as: shop.as, body: { name: '' } })
    expect([taken.status, taken.body.error.code]).toEqual([409, 'conflict'])
    expect((await ok('GET', shop.base, { as: shop.as })).data.filter(({ key }: { key: string }) => key === KEY)).toHaveLength(2)

    const other = await passportShop(app, platform)
    const foreign = await call('GET', `${other.base}/${KEY}?connection=${second.id}`, { as: other.as })
    expect(foreign.status).toBe(404)
    expect((await call('GET', `${shop.base}/passport?connection=${second.id}`, { as: shop.as })).status).toBe(404)
    expect((await call('DELETE', chosen, { as: shop.as })).status).toBe(204)
    expect((await ok('GET', path, { as: shop.as })).data.id).toBe(one.id)
  } finally {
    Object.assign(carrier, { several: undefined })
  }
})

test('the platform has connections of its own, for its administrators alone and where the kind says so', async () => {
  const path = `/v1/platform/integrations/${KEY}`
  const body = { enabled: true, credentials: { key: 'right' } }
  expect((await call('PUT', path, { as: admin.token, body })).status).toBe(404)
  Object.assign(carrier, { owners: ['store', 'platform'] })
  try {
    for (const [as, status] of [
      [shop.as, 403],
      [shop.key, 403],
      [undefined, 401],
    ] as const)
      expect((await call('PUT', path, { ...(as && { as }), body })).status).toBe(status)
    const { data } = await ok('PUT', path, { as: admin.token, body })
    expect(data).toMatchObject({ key: KEY, state: 'connected', credentials: { key: expect.stringMatching(/^••••/) } })
    expect('storeId' in data).toBe(false)
    const { data: shown } = await ok('GET', path, { as: admin.token })
    expect((await ok('PUT', path, { as: admin.token, body: { ...body, credentials: shown.credentials } })).data).toMatchObject({
      id: data.id,
      state: 'connected',
    })
    expect((await ok('PATCH', path, { as: admin.token, body: { enabled: false } })).data.state).toBe('disabled')
    const listed = await ok('GET', '/v1/platform/integrations', { as: admin.token })
    expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([data.id])
    expect((await ok('GET', path, { as: admin.token })).data.id).toBe(data.id)
    const mine = (await ok('GET', shop.base, { as: shop.as })).data.map(({ id }: { id: string }) => id)
    expect(mine).not.toContain(data.id)
    expect((await call('GET', `${shop.base}/${KEY}?connection=${data.id}`, { as: shop.as })).status).toBe(404)
    expect((await call('DELETE', path, { as: admin.token })).status).toBe(204)
    expect((await call('GET', path, { as: admin.token })).status).toBe(404)
  } finally {
    Object.assign(carrier, { owners: undefined })
  }
})

test("an adapter's oauth is data that fits what it declares", () => {
  const [fine] = passports
  if (!fine?.oauth) throw new Error('the example has no oauth')
  const { oauth } = fine
  const kind: Pick<Kind, 'owners'> = {}
  expect([passports.flatMap((each) => definitionProblems(each)), connectionOwnersOf(kind, fine), connectionOwnersOf(kind, {})]).toEqual([
    [],
    ['store', 'platform'],
    ['store'],
  ])
  const wrong: readonly [change: object, problem: string][] = [
    [{ tokenUrl: 'https://elsewhere.example/token' }, 'oauth goes to elsewhere.example, which net does not list'],
    [{ authorizeUrl: 'http://login.passport.example/' }, 'oauth/authorizeUrl'],
    [{ authorizeUrl: 'https://login.passport.example/{shop}' }, 'oauth names {shop} in an address'],
    [{ client: { id: 'appId' } }, 'client.id must name one of the credentials, not "appId"'],
    [{ client: { id: 'clientId', secret: 'clientId' } }, 'client.secret must name one of the credentials that is secret'],
    [{ client: { id: 'clientId' }, clientAuth: 'basic' }, 'clientAuth "basic" needs client.secret'],
    [{ fills: { merchant: 'merchant' } }, 'fills in merchant, which must be one of the credentials'],
    [{ refresh: 'sometimes' }, 'oauth/refresh'],
    [{ colour: 'red' }, 'oauth/colour'],
    [{ parameters: { authorize: { 'a b': 'c' } } }, 'oauth/parameters/authorize'],
    [{ answer: { accessToken: '__proto__.x y' } }, 'oauth/answer/accessToken'],
  ]
  for (const [change, problem] of wrong)
    expect([change, definitionProblems({ ...fine, oauth: { ...oauth, ...change } }).join()]).toEqual([
      change,
      expect.stringContaining(problem),
    ])
  const { accessToken: _, ...others } = fine.credentials
  expect(definitionProblems({ ...fine, credentials: others }).join()).toContain('fills in accessToken')
})
