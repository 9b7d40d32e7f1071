import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'

const { call, ok, shop, person } = await startApp()
await person('The administrator')

let phones = 0
async function stocked() {
  const on = await shop({ settings: { confirmation: { opensAt: '00:00', closesAt: '00:00' } } })
  const { data } = await ok('POST', '/v1/products', { as: on.key, body: { storeId: on.storeId, name: 'Basket', price: 1000 } })
  await ok('PUT', `/v1/stores/${on.storeId}/integrations/sandbox`, {
    as: on.owner.token,
    body: { enabled: true, credentials: {}, settings: {} },
  })
  const place = async () => {
    const body = {
      storeId: on.storeId,
      customer: { name: 'Lina', phone: `0550${String(++phones).padStart(6, '0')}` },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
      items: [{ productId: data.id, quantity: 1 }],
    }
    return (await ok('POST', '/v1/orders', { as: on.key, body })).data.id as string
  }
  return { ...on, place }
}
const progressOf = ({ parcel, assignee, calls }: Record<string, unknown>) => ({ parcel, assignee, calls })

test('a list of orders shows the parcel, the agent and the calls of each, and so does the order itself', async () => {
  const on = await stocked()
  const [plain, called, sent] = [await on.place(), await on.place(), await on.place()]
  await ok('POST', '/v1/orders/assign', { as: on.key, body: { storeId: on.storeId, orderId: called, userId: on.owner.id } })
  await ok('POST', '/v1/orders/confirmation/next', { as: on.owner.token, body: { storeId: on.storeId } })
  const body = { storeId: on.storeId, orderId: called, outcome: 'no_answer' }
  await ok('POST', '/v1/orders/confirmation/release', { as: on.owner.token, body })
  await ok('PATCH', `/v1/orders/${sent}`, { as: on.key, body: { status: 'confirmed' } })
  const path = `/v1/stores/${on.storeId}/orders/${sent}/carriers/sandbox`
  const { parcel } = (await ok('POST', `${path}/send`, { as: on.key, body: {} })).data

  const list = async () =>
    new Map<string, Record<string, unknown>>(
      (await ok('GET', '/v1/orders', { as: on.key })).data.map((row: { id: string }) => [row.id, row]),
    )
  const rows = await list()
  expect(progressOf(rows.get(plain) ?? {})).toEqual({ parcel: null, assignee: null, calls: { count: 0, lastOutcome: null } })
  expect(rows.get(called)).toMatchObject({
    parcel: null,
    assignee: { id: on.owner.id, name: 'Owner' },
    calls: { count: 1, lastOutcome: 'no_answer' },
  })
  expect(rows.get(sent)).toMatchObject({
    parcel: {
      id: parcel.id,
      status: 'submitted',
      carrier: 'sandbox',
      carrierName: 'Sandbox (rehearsal)',
      trackingId: parcel.trackingId,
      printedAt: null,
    },
  })
  await ok('POST', `/v1/stores/${on.storeId}/integrations/sandbox/labels`, { as: on.key, body: { trackings: [parcel.trackingId] } })
  const printed = (await list()).get(sent) as { parcel: { printedAt: string } }
  expect(Date.now() - Date.parse(printed.parcel.printedAt)).toBeLessThan(60_000)
  for (const id of [plain, called, sent])
    expect(progressOf((await ok('GET', `/v1/orders/${id}`, { as: on.key })).data)).toEqual(progressOf((await list()).get(id) ?? {}))
  await ok('POST', `${path}/unsend`, { as: on.key })
  expect((await list()).get(sent)).toMatchObject({ parcel: null })
})

test('the parcels and agents of another store are not shown', async () => {
  const [mine, other] = [await stocked(), await stocked()]
  await mine.place()
  const id = await other.place()
  const { data } = await ok('GET', '/v1/orders', { as: mine.key })
  expect(data.map((row: { id: string }) => row.id)).not.toContain(id)
  expect((await call('GET', `/v1/orders/${id}`, { as: mine.key })).status).toBe(404)
})
