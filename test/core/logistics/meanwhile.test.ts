import { afterAll, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startApp } from '../../support/app.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'

const folder = await scratchFolder()
await mkdir(join(folder, 'meanwhile'))
await writeFile(
  join(folder, 'meanwhile/index.ts'),
  `import { carrier, CarrierError } from 'serai/carrier'
const one = (slug, change) => carrier({
  slug, label: slug, countries: ['DZ'], currency: 'DZD', net: ['api.meanwhile.example'], credentials: {}, settings: {},
  exactlyOnce: 'unsafe', settleSeconds: 30, rateWindows: [], deliveryTypes: ['home'], editableIn: ['submitted'], cancellableIn: ['submitted'],
  statuses: { gone: { status: 'cancelled' } },
  testConnection: () => ({}),
  async send(context, { reference, recipient: { name } }) {
    await context.fetch('https://api.meanwhile.example/send', { method: 'POST', body: name })
    if (name.startsWith('NO ')) throw new CarrierError('refused', 'Not this one.')
    return { trackingId: slug + '-' + reference }
  },
  async edit(context, tracking, change) {
    const answer = await context.fetch('https://api.meanwhile.example/edit', { method: 'POST', body: change.notes ?? '' })
    if (answer.status === 503) throw new CarrierError('unavailable', 'Broken.')
  },
  async track(context, ids) {
    await context.fetch('https://api.meanwhile.example/track', { method: 'POST', body: ids.join(), readsOnly: true })
    return []
  },
  webhook: { receive: ({ body }) => ({ outcome: 'events', signed: true, events: [JSON.parse(new TextDecoder().decode(body))] }) },
  ...change,
})
export default [one('wide', {}), one('narrow', { sendMany: () => [], sendManyMax: 1 })]`,
)

/** So many calls at once fill the narrow one. */
const CALLS = 2
let gate = Promise.withResolvers<void>()
let held = 0
let isTrackingHeld = false
let tracked = 0
const carrier = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 120,
  async fetch(request) {
    const body = await request.text()
    const isTracking = request.url.endsWith('/track')
    if (isTracking) tracked += 1
    if (body.includes('HELD') || (isTracking && isTrackingHeld)) {
      held += 1
      await gate.promise
    }
    return new Response('', { status: body.includes('BROKEN') ? 503 : 200 })
  },
})
afterAll(() => carrier.stop(true))

const { call, ok, shop, context } = await startApp({
  adapterDirs: [folder],
  adapterIsolation: 'none',
  simulators: { 'api.meanwhile.example': `http://127.0.0.1:${carrier.port}` },
})
const { storeId, owner, key } = await shop()
const path = `/v1/stores/${storeId}/integrations`
const connect = async (slug: string): Promise<string> =>
  (await ok('PUT', `${path}/${slug}`, { as: owner.token, body: { enabled: true, credentials: {} } })).data.id
const [wide, narrow] = [await connect('wide'), await connect('narrow')]
const { data: product } = await ok('POST', '/v1/products', {
  as: key,
  body: { storeId, name: 'Basket', sku: 'B', price: 1000, initialStock: 1000 },
})

const destination = { country: 'DZ', stateCode: '31', cityName: 'Oran', address: 'x', deliveryType: 'home' }
const create = async (carrierAccountId: string, name = 'Lina'): Promise<string> =>
  (await ok('POST', '/v1/parcels', { as: key, body: { recipient: { name, phone: '0550123456' }, destination, carrierAccountId } })).data.id
const submit = (id: string) => call('POST', `/v1/parcels/${id}/submit`, { as: key })
const read = async (id: string) => (await ok('GET', `/v1/parcels/${id}`, { as: key })).data
const edit = (id: string, body: object) => call('PATCH', `/v1/parcels/${id}`, { as: key, body })
const order = async (name = 'Lina'): Promise<string> => {
  const body = { storeId, customer: { name, phone: '0550123456' }, destination, items: [{ productId: product.id, quantity: 1 }] }
  return (await ok('POST', '/v1/orders', { as: key, body })).data.id
}
const orderOf = async (id: string) => (await ok('GET', `/v1/orders/${id}`, { as: key })).data
const send = (id: string, slug: string) => call('POST', `/v1/stores/${storeId}/orders/${id}/carriers/${slug}/send`, { as: key })
const said = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body?.error?.code ?? null]
const inLine = (orderId: string) =>
  until(async () => (await context.sql`select 1 from parcels where order_id = ${orderId} and submit_at is not null`).length > 0)

function close() {
  gate = Promise.withResolvers()
  held = 0
}

/** While the narrow one takes nothing more. */
async function whileFull(work: () => Promise<void>) {
  close()
  const full = Promise.all(Array.from({ length: CALLS }, async () => submit(await create(narrow, 'HELD'))))
  await until(() => held === CALLS)
  await work().finally(gate.resolve)
  await full
}

test('a parcel that is deleted while its carrier is silent about an edit is gone, and no fault', async () => {
  const id = await create(wide)
  await submit(id)
  const { trackingId } = await read(id)
  close()
  const editing = edit(id, { notes: 'HELD BROKEN' })
  await until(() => held === 1)
  await ok('POST', `${path}/wide/webhook`, { body: { trackingId, carrierStatus: 'gone', at: new Date().toISOString() } })
  expect((await read(id)).status).toBe('cancelled')
  expect((await call('DELETE', `/v1/parcels/${id}`, { as: key })).status).toBe(204)
  gate.resolve()
  expect(said(await editing)).toEqual([404, 'not_found'])
})

test('submission: an unknown outcome stays unknown until the parcel is submitted again, whatever else changes', async () => {
  const id = await create(wide)
  await submit(id)
  const doubt = async () => /\((.+)\)/.exec((await read(id)).lastError?.message ?? '')?.[1]
  expect(said(await edit(id, { notes: 'BROKEN', codAmount: 500 }))[0]).toBe(502)
  expect(await doubt()).toBe('notes, codAmount')
  await ok('PATCH', `/v1/parcels/${id}`, { as: key, body: { contents: 'Tea' } })
  expect(await doubt()).toBe('notes, codAmount')
  expect(said(await edit(id, { notes: 'BROKEN', contents: 'Coffee' }))[0]).toBe(502)
  expect(await doubt()).toBe('notes, codAmount, contents')
  await ok('PATCH', `/v1/parcels/${id}`, { as: key, body: { contents: 'Coffee', codAmount: 500, notes: 'Ring twice' } })
  expect((await read(id)).lastError).toBeNull()
})

test('an edit that took so long that another came between undoes nothing of it, and is in doubt', async () => {
  const id = await create(wide)
  await submit(id)
  close()
  const slow = edit(id, { notes: 'HELD', contents: 'Tea' })
  await until(() => held === 1)
  await context.sql`update parcel_leases set until = now() - interval '1 second' where parcel_id = ${id}`
  expect(said(await edit(id, { notes: 'Ring twice', contents: 'Coffee' }))[0]).toBe(200)
  gate.resolve()
  expect(said(await slow)).toEqual([409, 'outcome_unknown'])
  expect(await read(id)).toMatchObject({
    notes: 'Ring twice',
    contents: 'Coffee',
    lastError: { code: 'edit_unknown', message: expect.stringContaining('(notes, contents)') },
  })
})

test('an edit that the carrier took and that could not be written down is in doubt', async () => {
  const id = await create(wide)
  await submit(id)
  await context.sql.unsafe(`create function refuse() returns trigger language plpgsql as 'begin raise ''No room.''; end';
    create trigger refuse before update on parcels for each row when (new.notes = 'Unwritten') execute function refuse()`)
  expect(said(await edit(id, { notes: 'Unwritten' }))).toEqual([500, 'internal_error'])
  await context.sql.unsafe('drop trigger refuse on parcels')
  await context.sql`update parcel_leases set until = now() - interval '1 second' where parcel_id = ${id}`
  expect(said(await edit(id, { contents: 'Tea' }))[0]).toBe(200)
  expect((await read(id)).lastError).toMatchObject({ code: 'edit_unknown', message: expect.stringContaining('(notes)') })
})

test('submission: a parcel that waits for a slow carrier keeps its slot there', async () => {
  const id = await create(wide)
  await submit(id)
  close()
  const slow = edit(id, { notes: 'HELD' })
  await until(() => held === 1)
  await context.sql`update parcel_leases set until = now() + interval '20 seconds' where parcel_id = ${id}`
  const isKept = async () =>
    (await context.sql`select 1 from parcel_leases where parcel_id = ${id} and until > now() + interval '40 seconds'`).length > 0
  await until(isKept, 15_000)
  gate.resolve()
  expect(said(await slow)[0]).toBe(200)
}, 30_000)

test('an order that was given up stays so, however often its parcel is cancelled', async () => {
  const id = await order('NO Lina')
  expect(said(await send(id, 'wide'))).toEqual([422, 'carrier_refused'])
  const { parcelId } = await orderOf(id)
  await ok('PATCH', `/v1/orders/${id}`, { as: key, body: { status: 'cancelled' } })
  const { data } = await ok('POST', `/v1/parcels/${parcelId}/cancel`, { as: key })
  expect(data.status).toBe('cancelled')
  expect((await orderOf(id)).status).toBe('cancelled')
})

test('a connection to what is no carrier cannot be named for a parcel', async () => {
  const body = { enabled: true, credentials: {}, settings: {} }
  const { data: gateway } = await ok('PUT', `${path}/sandbox-payment`, { as: owner.token, body })
  const parcel = { recipient: { name: 'Lina', phone: '0550123456' }, destination, carrierAccountId: gateway.id }
  expect(said(await call('POST', '/v1/parcels', { as: key, body: parcel }))).toEqual([400, 'invalid_request'])
  expect(said(await edit(await create(wide), { carrierAccountId: gateway.id }))).toEqual([400, 'invalid_request'])
})

/** Rules by which an order goes to the narrow one, and no further. */
const dispatch = async (orderId: string) => (await ok('POST', `${path}/dispatcher/dispatch`, { as: key, body: { orderId } })).data[0]
const onlyNarrow = () =>
  ok('PUT', `${path}/dispatcher/rules`, {
    as: owner.token,
    body: { rules: [{ name: 'All', when: {}, choose: 'order', carriers: [{ carrier: 'narrow' }, { carrier: 'wide' }] }] },
  })

test('an order that is given up while it waits for its carrier was not taken by it', async () => {
  await onlyNarrow()
  const [one, other] = [await order(), await order()]
  let [dispatched, many]: Record<string, never>[] = []
  await whileFull(async () => {
    const waiting = [
      dispatch(one).then((answer) => (dispatched = answer)),
      ok('POST', `${path}/narrow/parcels/sendMany`, { as: key, body: { orders: [{ orderId: other }] } }).then(
        ({ data }) => (many = data[0]),
      ),
    ]
    for (const id of [one, other]) {
      await inLine(id)
      await ok('PATCH', `/v1/orders/${id}`, { as: key, body: { status: 'cancelled' } })
    }
    await Promise.all(waiting)
  })
  expect(dispatched).toMatchObject({
    carrier: null,
    tried: [{ carrier: 'narrow', outcome: 'refused' }],
    error: { code: 'invalid_transition' },
  })
  expect((await ok('GET', `${path}/dispatcher/dispatches?orderId=${one}`, { as: key })).data).toMatchObject([{ outcome: 'refused' }])
  expect(many).toMatchObject({ outcome: 'refused', error: { code: 'invalid_transition' } })
})

test('an order that is given to another carrier while it waits was not taken by the first', async () => {
  await onlyNarrow()
  const [one, other, third] = [await order(), await order(), await order()]
  let [dispatched, sent, many]: unknown[] = []
  await whileFull(async () => {
    const waiting = [
      dispatch(one).then((answer) => (dispatched = answer)),
      send(other, 'narrow').then((answer) => (sent = said(answer))),
      ok('POST', `${path}/narrow/parcels/sendMany`, { as: key, body: { orders: [{ orderId: third }] } }).then(
        ({ data }) => (many = data[0]),
      ),
    ]
    for (const id of [one, other, third]) {
      await inLine(id)
      expect((await send(id, 'wide')).body.data.parcel).toMatchObject({ courierId: 'wide', status: 'submitted' })
    }
    await Promise.all(waiting)
  })
  expect(dispatched).toMatchObject({
    carrier: null,
    tried: [{ carrier: 'narrow', outcome: 'refused' }],
    outcome: 'refused',
    error: { code: 'order_already_sent' },
  })
  expect(sent).toEqual([409, 'order_already_sent'])
  expect(many).toMatchObject({ outcome: 'refused', error: { code: 'order_already_sent' } })
})

test('news of one account is asked for by one run at a time; what is asked for meanwhile comes after it', async () => {
  await submit(await create(wide))
  close()
  isTrackingHeld = true
  tracked = 0
  const sync = () => ok('POST', `${path}/wide/sync`, { as: owner.token })
  await sync()
  await until(() => held === 1)
  await sync()
  await Bun.sleep(1_000)
  expect(tracked).toBe(1)
  isTrackingHeld = false
  gate.resolve()
  await until(() => tracked === 2)
  await until(async () => (await ok('GET', `${path}/wide/sync/status`, { as: owner.token })).data.status === 'done')
})
