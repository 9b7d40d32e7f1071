import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { findDifferences } from '../../support/checks.ts'

const { call, ok, shop, context } = await startApp()
const { sql } = context

const on = await shop()
const store = `/v1/stores/${on.storeId}`
const body = { enabled: true, credentials: { webhookSecret: 'a secret' }, settings: {} }
await ok('PUT', `${store}/integrations/sandbox`, { as: on.owner.token, body })
const anvil = { storeId: on.storeId, name: 'Anvil', price: 100, weightKg: 1 }
const { data: product } = await ok('POST', '/v1/products', { as: on.key, body: anvil })

let phones = 0
/** One anvil for somebody whom the carrier refuses, so that the parcel waits. */
const place = async (quantity = 1) =>
  (
    await ok('POST', '/v1/orders', {
      as: on.key,
      body: {
        storeId: on.storeId,
        customer: { name: 'FAIL Lina', phone: `+213560${String(++phones).padStart(6, '0')}` },
        destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'x', deliveryType: 'home' },
        items: [{ productId: product.id, quantity }],
        note: 'call before',
      },
    })
  ).data
const send = (id: string, body: object = {}) => call('POST', `${store}/orders/${id}/carriers/sandbox/send`, { as: on.key, body })
const refused = async (id: string, body: object = {}) => expect((await send(id, body)).status).toBe(422)
const change = (id: string, body: object) => ok('PATCH', `/v1/orders/${id}`, { as: on.key, body })
const ALL = { customer: { name: 'Lina' }, items: [{ productId: product.id, quantity: 25 }], note: 'leave at the door' }
const waitingOf = async (id: string) => [
  ...(await sql`select weight_kg::float8 as weight, notes from parcels where order_id = ${id} order by id`),
]

test('a parcel that waits weighs what its order does now, and says its note', async () => {
  const { id } = await place()
  await refused(id)
  await change(id, ALL)
  const { status, body } = await send(id)
  expect(status).toBe(200)
  expect(body.data.parcel).toMatchObject({ weightKg: 25, notes: 'leave at the door', contents: 'Anvil x25', codAmount: 2500 })
  // A carrier has it: its order's note is its store's own.
  await change(id, { note: 'paid the courier' })
  expect(await waitingOf(id)).toEqual([{ weight: 25, notes: 'leave at the door' }])
  expect(await findDifferences(sql)).toEqual([])
})

test('a note alone is taken over, and nothing else with it', async () => {
  const { id } = await place()
  await refused(id)
  await sql`update parcels set weight_kg = 3, contents = 'An anvil' where order_id = ${id}`
  await change(id, { note: 'ring twice' })
  expect(await waitingOf(id)).toEqual([{ weight: 3, notes: 'ring twice' }])
  await change(id, { customer: { name: 'FAIL Sara' } })
  expect(await waitingOf(id)).toEqual([{ weight: 3, notes: 'ring twice' }])
  await change(id, { note: `${'a'.repeat(999)}😀` })
  expect((await waitingOf(id))[0]?.notes).toBe(`${'a'.repeat(999)}\ufffd`)
})

test('what was said when it was sent stands, also where it was said later', async () => {
  const [first, later] = [await place(), await place()]
  await refused(first.id, { weightKg: 7, notes: 'by the back door' })
  await refused(later.id)
  await refused(later.id, { notes: 'by the back door' })
  await refused(later.id, { weightKg: 7 })
  for (const { id } of [first, later]) {
    await change(id, ALL)
    expect(await waitingOf(id)).toEqual([{ weight: 7, notes: 'by the back door' }])
    await ok('POST', `${store}/orders/${id}/carriers/sandbox/send`, { as: on.key, body: {} })
    // Sent anew it is a new parcel.
    await ok('POST', `${store}/orders/${id}/carriers/sandbox/unsend`, { as: on.key })
    const { data } = await ok('POST', `${store}/orders/${id}/carriers/sandbox/send`, { as: on.key, body: {} })
    expect(data.parcel).toMatchObject({ weightKg: 25, notes: 'leave at the door' })
  }
})

test('of several that are sent together, each as it was said of it', async () => {
  const [plain, said] = [await place(), await place()]
  const orders = [{ orderId: plain.id }, { orderId: said.id, weightKg: 7, notes: 'by the back door' }]
  await ok('POST', '/v1/orders/send', { as: on.key, body: { storeId: on.storeId, carrierCode: 'sandbox', orders } })
  for (const { id } of [plain, said]) await change(id, ALL)
  expect(await waitingOf(plain.id)).toEqual([{ weight: 25, notes: 'leave at the door' }])
  expect(await waitingOf(said.id)).toEqual([{ weight: 7, notes: 'by the back door' }])
})

test('parts take the note over too, each unless one was said of it', async () => {
  const { id } = await place(5)
  await refused(id, { items: [{ item: 0, quantity: 1 }], part: 'a' })
  await refused(id, { items: [{ item: 0, quantity: 1 }], part: 'b', notes: 'by the back door' })
  await refused(id, { items: [{ item: 0, quantity: 1 }], part: 'c' })
  await refused(id, { items: [{ item: 0, quantity: 1 }], part: 'c', notes: 'upstairs' })
  await change(id, { note: 'leave at the door' })
  expect(await waitingOf(id)).toEqual([
    { weight: 1, notes: 'leave at the door' },
    { weight: 1, notes: 'by the back door' },
    { weight: 1, notes: 'upstairs' },
  ])
})

test('the rules of the dispatcher judge by what it weighs and collects now', async () => {
  const { id } = await place()
  await refused(id)
  await change(id, ALL)
  const only = (name: string, when: object) => ({ name, when, carriers: [{ carrier: 'sandbox' }], choose: 'order' })
  const rules = [only('Light', { weightKg: { max: 24 } }), only('Cheap', { amount: { max: 2499 } }), only('Rest', {})]
  await ok('PUT', `${store}/integrations/dispatcher/rules`, { as: on.owner.token, body: { rules } })
  const asked = { as: on.key, body: { orderId: id, dryRun: true } }
  expect((await ok('POST', `${store}/integrations/dispatcher/dispatch`, asked)).data).toMatchObject([{ rule: 'Rest' }])
})

test('an order that weighs more than any parcel is said to weigh is sent all the same', async () => {
  const { data: heavy } = await ok('POST', '/v1/products', { as: on.key, body: { ...anvil, name: 'Bridge', weightKg: 10_000 } })
  const { id } = await place()
  await change(id, { customer: { name: 'Lina' }, items: [{ productId: heavy.id, quantity: 10_000 }] })
  const { status, body } = await send(id, { codAmount: undefined })
  expect([status, body.data?.parcel.weightKg]).toEqual([200, 10_000])
})
