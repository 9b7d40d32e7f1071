import { expect, test } from 'bun:test'
import { HOUR_MS } from '../../../core/lib/durations.ts'
import { type Answer, startApp } from '../../support/app.ts'

// A proxy stands before it, so that requests come from where they say.
const { call, ok, shop, person, context } = await startApp({ trustedProxies: 1 })
const { sql } = context
await person('The administrator')
const { storeId, key, owner } = await shop()
const theirs = await shop()
const path = `/v1/stores/${storeId}/integrations/security/block`
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Shoe', price: 100 } })
const block = async (body: object, as = key) => (await ok('POST', path, { as, body })).data
const free = (id: string) => ok('DELETE', `${path}/${id}`, { as: key })

const HOME = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'Cité 5 juillet, bt 3', deliveryType: 'home' }
let phones = 0
interface Ordering {
  readonly as?: string
  readonly phone?: string
  readonly phoneAlt?: string
  readonly ip?: string
  readonly destination?: object
  readonly store?: string
}
/** Each with a phone of its own, unless one is said. */
const order = ({ as, phone = `055512${1000 + ++phones}`, phoneAlt, ip = '198.51.100.7', destination = {} }: Ordering = {}) =>
  call('POST', '/v1/orders', {
    ...(as && { as }),
    headers: { 'x-forwarded-for': ip },
    body: {
      storeId,
      customer: { name: 'Amina', phone, ...(phoneAlt && { phoneAlt }) },
      destination: { ...HOME, ...destination },
      items: [{ productId: product.id, quantity: 1 }],
    },
  })

test('a phone, however it is written, as the first and as the second', async () => {
  const made = await block({ phone: '0550 12 34 56', reason: 'never picks up' })
  expect(made).toMatchObject({
    kind: 'phone',
    phone: '+213550123456',
    address: null,
    ip: null,
    isActive: true,
    blockedBy: null,
    expiresAt: null,
  })
  for (const asked of [{ phone: '+213550123456' }, { phoneAlt: '00213550123456' }, { phone: '0550123457 / 0550123456' }]) {
    const refused = await order(asked)
    expect([asked, outcome(refused)]).toEqual([asked, '422 recipient_blocked'])
    expect(JSON.stringify(refused.body)).not.toContain('picks up')
  }
  expect((await order({ phone: '0550123499' })).status).toBe(201)
  await free(made.id)
  expect((await order({ phone: '0550123456' })).status).toBe(201)
})

test("the store's own people and keys are warned, and may", async () => {
  const made = await block({ phone: '0551000001', reason: 'three returns' }, owner.token)
  expect(made.blockedBy).toEqual({ userId: owner.id, name: 'Owner' })
  for (const as of [owner.token, key]) {
    const taken = await order({ as, phone: '0551000001' })
    expect([taken.status, taken.body.warnings]).toEqual([
      201,
      [{ code: 'recipient_blocked', message: 'The store has blocked the phone (three returns).' }],
    ])
  }
  expect((await order({ as: key })).body).not.toHaveProperty('warnings')
})

test('a block is found by its phone number, however the number is written', async () => {
  const made = await block({ phone: '0550777001' })
  const other = await block({ phone: '0550777002' })
  const found = async (phone: string) =>
    (await ok('GET', `${path}?phone=${encodeURIComponent(phone)}`, { as: key })).data.map(({ id }: { id: string }) => id)
  expect(await found('0550 77 70 01')).toEqual([made.id])
  expect(await found('+213550777001')).toEqual([made.id])
  expect(await found('0550777003')).toEqual([])
  expect(outcome(await call('GET', `${path}?phone=nobody`, { as: key }))).toBe('422 invalid_phone')
  await free(made.id)
  await free(other.id)
})

test('an address, however it is written, and no other in the town', async () => {
  const { id } = await block({ address: { stateCode: '16', cityName: 'bab ezzouar', address: 'cite 5 Juillet - BT 3' } })
  for (const destination of [{}, { stateCode: 'Alger' }, { address: 'CITE 5 JUILLET BT3' }])
    expect([destination, outcome(await order({ destination }))]).toEqual([destination, '422 recipient_blocked'])
  for (const destination of [{ address: 'Cité 5 juillet, bt 4' }, { cityName: 'El Biar' }, { address: '' }])
    expect([destination, (await order({ destination })).status]).toEqual([destination, 201])
  await free(id)
})

test('a network, and not who asks from another one', async () => {
  const { id, ip } = await block({ ip: '203.0.113.77/24' })
  expect(ip).toBe('203.0.113.0/24')
  const wide = await block({ ip: '2001:db8:1:2:3::4' })
  expect(wide.ip).toBe('2001:db8:1:2::/64')
  for (const from of ['203.0.113.1', '203.0.113.255', '::ffff:203.0.113.9', '2001:db8:1:2:ffff::1'])
    expect([from, outcome(await order({ ip: from }))]).toEqual([from, '422 recipient_blocked'])
  for (const from of ['203.0.114.1', '2001:db8:1:3::1', 'nonsense']) expect([from, (await order({ ip: from })).status]).toEqual([from, 201])
  // A member's own network says nothing about the customer.
  expect((await order({ ip: '203.0.113.1', as: key })).body).not.toHaveProperty('warnings')
  await free(id)
})

test('is over when it is over, and one of the same takes its place', async () => {
  const soon = new Date(Date.now() + HOUR_MS).toISOString()
  const made = await block({ phone: '0552000001', expiresAt: soon })
  expect(made.expiresAt).toBe(soon)
  expect(outcome(await order({ phone: '0552000001' }))).toBe('422 recipient_blocked')
  await sql`update store_blocks set expires_at = now() - interval '1 second' where id = ${made.id}`
  expect((await order({ phone: '0552000001' })).status).toBe(201)
  expect((await ok('GET', `${path}?kind=phone`, { as: key })).data.find(({ id }: { id: string }) => id === made.id).isActive).toBe(false)
  const many = await Promise.all([1, 2, 3].map((at) => block({ phone: '0552000001', reason: `again ${at}` })))
  expect(new Set(many.map(({ id }) => id))).toEqual(new Set([made.id]))
  expect(outcome(await order({ phone: '0552000001' }))).toBe('422 recipient_blocked')
})

test('takes one thing that can be blocked', async () => {
  const cases: [object, string][] = [
    [{}, '400 invalid_request'],
    [{ phone: '0550123456', ip: '203.0.113.1' }, '400 invalid_request'],
    [{ phone: '12' }, '400 invalid_request'],
    [{ phone: '123' }, '422 invalid_phone'],
    [{ address: { stateCode: '16', cityName: 'Alger', address: '...' } }, '400 invalid_request'],
    ...[
      '0.0.0.0/0',
      '10.0.0.0/7',
      '203.0.113.1/33',
      '203.0.113.1/x',
      '203.0.113',
      'localhost',
      '2001::/16',
      'fe80::1%eth0',
      '1.2.3.4/24/2',
    ].map((ip): [object, string] => [{ ip }, '400 invalid_request']),
    [{ phone: '0550123456', expiresAt: '2020-01-01T00:00:00.000Z' }, '400 invalid_request'],
  ]
  for (const [body, expected] of cases) expect([body, outcome(await call('POST', path, { as: key, body }))]).toEqual([body, expected])
})

test("is a store's own: who has no part in it neither blocks nor sees nor frees", async () => {
  const { id } = await block({ phone: '0553000001' })
  const viewer = await person('Viewer')
  await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: viewer.email, role: 'viewer' } })
  for (const [as, expected] of [
    [theirs.key, '404 not_found'],
    [viewer.token, '403 forbidden'],
    [undefined, '401 unauthenticated'],
  ] as const)
    for (const [method, at] of [
      ['GET', path],
      ['POST', path],
      ['DELETE', `${path}/${id}`],
    ] as const)
      expect(outcome(await call(method, at, { ...(as && { as }), ...(method === 'POST' && { body: { phone: '0553000002' } }) }))).toBe(
        expected,
      )
  expect(outcome(await call('DELETE', `/v1/stores/${theirs.storeId}/integrations/security/block/${id}`, { as: theirs.key }))).toBe(
    '404 not_found',
  )
})
