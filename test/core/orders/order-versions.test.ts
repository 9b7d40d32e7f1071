import { expect, test } from 'bun:test'
import { transaction } from '../../../core/data/sql.ts'
import { type Shop, startApp } from '../../support/app.ts'
import { untilWaiting } from '../../support/waiting.ts'

const { call, ok, shop, person, context } = await startApp()
const { sql } = context
await person('The administrator')

const on: Shop = await shop()
const { data: product } = await ok('POST', '/v1/products', { as: on.key, body: { storeId: on.storeId, name: 'Basket', price: 1000 } })
const amel = await person('Amel')
await ok('POST', `/v1/stores/${on.storeId}/members`, { as: on.owner.token, body: { email: amel.email, role: 'agent' } })

let phones = 0
const place = async () => {
  const body = {
    storeId: on.storeId,
    customer: { name: 'Lina', phone: `0550${String(++phones).padStart(6, '0')}` },
    destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
    items: [{ productId: product.id, quantity: 1 }],
  }
  return (await ok('POST', '/v1/orders', { as: on.key, body })).data as {
    id: string
    version: number
    customer: object
    destination: object
  }
}
const read = async (id: string) => (await ok('GET', `/v1/orders/${id}`, { as: on.key })).data
const send = (method: string, id: string, version: number | string | null, body?: object, as = on.key) =>
  call(method, `/v1/orders/${id}`, {
    as,
    ...(body && { body }),
    ...(version !== null && { headers: { 'if-match': typeof version === 'number' ? `"${version}"` : version } }),
  })
const patch = (id: string, version: number | string | null, body: object, as?: string) => send('PATCH', id, version, body, as)
const outcome = ({ status, body }: Awaited<ReturnType<typeof call>>) => `${status} ${body?.error?.code ?? ''}`.trim()

test('an order has a version, which each change of it increases, whoever makes it', async () => {
  const { id, version } = await place()
  expect(version).toBe(0)
  let last = version
  const change = async (work: () => Promise<unknown>) => {
    await work()
    const { version: now } = await read(id)
    expect(now).toBeGreaterThan(last)
    last = now
  }
  await change(() => patch(id, null, { note: 'ring twice' }))
  await change(() => patch(id, null, { customer: { name: 'Lina B.' } }))
  await change(() => patch(id, null, { status: 'confirmed' }))
  await change(() => ok('POST', '/v1/orders/assign', { as: on.key, body: { orderId: id, userId: amel.id } }))
  const { data: rows } = await ok('GET', `/v1/orders?storeId=${on.storeId}&limit=1`, { as: on.key })
  expect(rows[0]).toMatchObject({ id, version: last })
})

test('what a change answers has the version that the order has then', async () => {
  const { id } = await place()
  for (const body of [
    { note: 'a' },
    { status: 'unreachable' },
    { status: 'confirmed', note: 'b' },
    { discount: { amount: 10, reason: 'kind' } },
  ])
    expect((await patch(id, null, body)).body.data.version).toBe((await read(id)).version)
  const { data } = await ok('POST', '/v1/orders/assign', { as: on.key, body: { orderId: id, userId: amel.id } })
  expect(data.version).toBe((await read(id)).version)
})

test('a change with If-Match is refused once somebody else has changed the order, and says who and when', async () => {
  const { id, version, customer, destination } = await place()
  const changed = await patch(id, version, { note: 'from Amel' }, amel.token)
  expect([changed.status, changed.body.data.version > version]).toEqual([200, true])
  const items = [{ productId: product.id, quantity: 2 }]
  for (const [method, body] of [
    ['PATCH', { note: 'from the owner' }],
    ['PATCH', { status: 'cancelled' }],
    ['PUT', { customer, destination: { country: 'DZ', stateCode: '16', cityName: 'Hydra', address: '', deliveryType: 'home' }, items }],
    ['DELETE', undefined],
  ] as const) {
    const refused = await send(method, id, version, body)
    expect([method, outcome(refused)]).toEqual([method, '409 version_conflict'])
    const [detail] = refused.body.error.details
    expect(detail).toMatchObject({ path: '/headers/if-match', values: { kind: 'person', id: amel.id, name: 'Amel' } })
    expect(detail.values.version).toBe(String(changed.body.data.version))
    expect(Math.abs(Date.now() - Date.parse(detail.values.at))).toBeLessThan(60_000)
    expect(detail.message).toStartWith('Amel changed the order at ')
  }
  expect(destination).toBeDefined()
  expect(await read(id)).toMatchObject({ note: 'from Amel', status: 'pending', version: changed.body.data.version })
  expect((await patch(id, changed.body.data.version, { note: 'from the owner' })).status).toBe(200)
  expect((await patch(id, null, { note: 'without a version' })).status).toBe(200)
  const { version: now } = await read(id)
  expect((await send('DELETE', id, now)).status).toBe(204)
})

test('of two editors at once exactly one wins, and the other is told', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, version } = await place()
    const answers = await Promise.all(
      [on.owner.token, amel.token, on.key].map((as, at) =>
        patch(id, version, at === 2 ? { status: 'confirmed' } : { note: `note ${at}` }, as),
      ),
    )
    expect(answers.map(outcome).toSorted()).toEqual(['200', '409 version_conflict', '409 version_conflict'])
    expect((await read(id)).version).toBeGreaterThan(version)
  }
})

test('an editor who waits for a change that is under way sees it, and is refused', async () => {
  const { id, version } = await place()
  const { asked } = await transaction(sql, async (tx) => {
    await tx`update orders set note = 'first', revision = revision + 1 where id = ${id}`
    const asked = patch(id, version, { note: 'second' })
    await Promise.race([asked, untilWaiting(sql, 1)])
    return { asked }
  })
  expect(outcome(await asked)).toBe('409 version_conflict')
  expect((await read(id)).note).toBe('first')
})

test('If-Match is one version in quotes', async () => {
  const { id } = await place()
  for (const header of ['0', '*', 'W/"0"', '"0", "1"', '"abc"', '"99999999999"']) {
    const refused = await patch(id, header, { note: 'x' })
    expect([header, outcome(refused), refused.body.error.details[0].path]).toEqual([header, '400 invalid_request', '/headers/if-match'])
  }
  expect(outcome(await patch('ord_none', 0, { note: 'x' }))).toBe('404 not_found')
  const stranger = await shop()
  expect(outcome(await patch(id, 0, { note: 'x' }, stranger.key))).toBe('404 not_found')
})
