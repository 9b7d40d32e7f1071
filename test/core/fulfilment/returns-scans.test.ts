import { describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { findDifferences } from '../../support/checks.ts'
import { packingDesk } from '../../support/packing.ts'

const app = await startApp()
const { call, ok, person, context } = app
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => `${status} ${body.error?.code}`

type Desk = Awaited<ReturnType<typeof packingDesk>>
const onScan = { settings: { returns: { restock: 'on_scan' } } }
const setRestock = (desk: Desk, restock: string) =>
  ok('PATCH', `/v1/stores/${desk.storeId}`, { as: desk.owner.token, body: { settings: { returns: { restock } } } })
const receive = async (desk: Desk, codes: readonly string[], condition?: string, as = desk.owner.token) =>
  (await ok('POST', `${desk.of}/returns/receive`, { as, body: { codes, ...(condition && { condition }) } })).data
const expected = (desk: Desk, query = '') => ok('GET', `${desk.of}/returns/expected${query}`, { as: desk.owner.token })
/** Order whose parcel is on its way back. */
async function coming(desk: Desk, quantity = 1) {
  const sent = await desk.send(quantity)
  await desk.report(sent, 'in_transit')
  await desk.report(sent, 'returning')
  return sent
}
const consistent = async () => expect(await findDifferences(context.sql)).toEqual([])

describe('returned goods', () => {
  test('go back to stock at the word of the carrier by default, and a later scan adds nothing', async () => {
    const desk = await packingDesk(app)
    const sent = await coming(desk, 2)
    expect(await desk.onHand()).toBe(98)
    await desk.report(sent, 'returned')
    expect(await desk.onHand()).toBe(100)
    const [row] = await receive(desk, [sent.trackingId])
    expect(row).toMatchObject({ outcome: 'done', parcel: { id: sent.parcelId, status: 'returned' }, by: { id: desk.owner.id } })
    expect(await desk.onHand()).toBe(100)
    await consistent()
  })

  test('go back only when they are scanned in as good, in a store that restocks on scan', async () => {
    const desk = await packingDesk(app, onScan)
    const sent = await coming(desk, 2)
    await desk.report(sent, 'returned')
    expect(await desk.onHand()).toBe(98)
    expect((await ok('GET', `/v1/orders/${sent.orderId}`, { as: desk.key })).data.status).toBe('returned')
    await consistent()
    expect((await receive(desk, [sent.reference]))[0]).toMatchObject({ outcome: 'done' })
    expect(await desk.onHand()).toBe(100)
    expect((await receive(desk, [sent.trackingId]))[0]).toMatchObject({ outcome: 'done_before' })
    expect(await desk.onHand()).toBe(100)
    await consistent()
  })

  test('wait for the word of the carrier when they are scanned in before it', async () => {
    for (const restock of ['on_scan', 'on_status']) {
      const desk = await packingDesk(app, { settings: { returns: { restock } } })
      const sent = await coming(desk)
      expect((await receive(desk, [sent.trackingId]))[0]).toMatchObject({ outcome: 'done', parcel: { status: 'returning' } })
      expect(await desk.onHand()).toBe(99)
      await consistent()
      await desk.report(sent, 'returned')
      expect(await desk.onHand()).toBe(100)
      await consistent()
    }
  })

  test('stay out when they are damaged, whether the scan or the carrier comes first', async () => {
    const desk = await packingDesk(app, onScan)
    const [before, after] = [await coming(desk), await coming(desk)]
    await receive(desk, [before.trackingId], 'damaged')
    await desk.report(before, 'returned')
    await desk.report(after, 'returned')
    await receive(desk, [after.trackingId], 'damaged')
    expect((await receive(desk, [after.trackingId], 'good'))[0]).toMatchObject({ outcome: 'done_before' })
    expect(await desk.onHand()).toBe(98)
    await setRestock(desk, 'on_status')
    const third = await coming(desk)
    await receive(desk, [third.trackingId], 'damaged')
    await desk.report(third, 'returned')
    expect(await desk.onHand()).toBe(97)
    await consistent()
  })

  test('go back once, whatever the setting becomes between the word of the carrier and the scan', async () => {
    const desk = await packingDesk(app, onScan)
    const [late, early] = [await coming(desk), await coming(desk)]
    await desk.report(late, 'returned')
    await setRestock(desk, 'on_status')
    await desk.report(early, 'returned')
    expect(await desk.onHand()).toBe(99)
    await setRestock(desk, 'on_scan')
    await receive(desk, [late.trackingId, early.trackingId])
    expect(await desk.onHand()).toBe(100)
    await consistent()
  })

  test('go back once when two people scan them while the carrier reports and the setting changes', async () => {
    const desk = await packingDesk(app, onScan)
    const parcels = [await coming(desk), await coming(desk), await coming(desk)]
    const codes = parcels.map(({ trackingId }) => trackingId)
    const packer = await desk.member('agent')
    const [one, two] = await Promise.all([
      receive(desk, codes),
      receive(desk, codes.toReversed(), 'good', packer.token),
      setRestock(desk, 'on_status'),
      ...parcels.map((sent) => desk.report(sent, 'returned')),
    ])
    for (const code of codes) {
      const rows = [...one, ...two].filter((row: { code: string }) => row.code === code)
      expect(rows.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual(['done', 'done_before'])
    }
    expect(await desk.onHand()).toBe(100)
    await consistent()
  })

  test('of one parcel of an order in several go back with that parcel alone', async () => {
    const desk = await packingDesk(app, onScan)
    const order = await desk.place(3)
    const first = (await desk.sendOrder(order.id, { items: [{ item: 0, quantity: 2 }] })).parcel
    const rest = (await desk.sendOrder(order.id)).parcel
    for (const status of ['in_transit', 'returning', 'returned']) await desk.report(first, status)
    await desk.report(rest, 'in_transit')
    expect(await desk.onHand()).toBe(97)
    await consistent()
    await receive(desk, [first.trackingId])
    await receive(desk, [first.trackingId])
    expect(await desk.onHand()).toBe(99)
    await consistent()
  })

  test('are refused while the parcel does not come back', async () => {
    const desk = await packingDesk(app, onScan)
    const [here, away, gone] = [await desk.send(), await desk.send(), await desk.send()]
    await desk.report(away, 'delivered')
    await ok('POST', `/v1/parcels/${gone.parcelId}/cancel`, { as: desk.key })
    const unsent = await desk.unsentParcel()
    const rows = await receive(desk, [here.trackingId, away.trackingId, gone.trackingId, unsent.reference, 'nobody'])
    expect(rows.map(({ reason }: { reason: string }) => reason)).toEqual([
      'not_returning',
      'not_returning',
      'cancelled',
      'not_sent',
      'unknown',
    ])
  })
})

describe('expected returns', () => {
  test('lists what the carrier returned and nobody scanned in, the oldest return first, by page', async () => {
    const desk = await packingDesk(app, onScan)
    const [a, b, c, seen] = [await coming(desk), await coming(desk), await coming(desk), await coming(desk)]
    await coming(desk)
    for (const sent of [c, a, seen, b]) await desk.report(sent, 'returned')
    await receive(desk, [seen.trackingId])
    const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
    const first = await expected(desk, '?limit=2')
    expect(ids(first)).toEqual([c.parcelId, a.parcelId])
    const second = await expected(desk, `?limit=2&cursor=${first.nextCursor}`)
    expect([ids(second), second.nextCursor]).toEqual([[b.parcelId], null])
    expect(ids(await expected(desk, `?from=${first.data[1].returnedAt}`))).toEqual([a.parcelId, b.parcelId])
    const foreign = Buffer.from('k1:elsewhere|par_1').toString('base64url')
    expect(codeOf(await call('GET', `${desk.of}/returns/expected?cursor=${foreign}`, { as: desk.owner.token }))).toBe('400 invalid_request')
  })
})

test('returns: malformed requests, requests without the right and parcels of another store are refused', async () => {
  const [desk, other] = [await packingDesk(app, onScan), await packingDesk(app)]
  const sent = await coming(desk)
  await desk.report(sent, 'returned')
  const path = `${desk.of}/returns/receive`
  for (const body of [{}, { codes: [] }, { codes: ['A'], condition: 'lost' }, { codes: ['A'], storeId: desk.storeId }])
    expect(codeOf(await call('POST', path, { as: desk.owner.token, body }))).toBe('400 invalid_request')
  const wrong = { settings: { returns: { restock: 'never' } } }
  expect(codeOf(await call('PATCH', `/v1/stores/${desk.storeId}`, { as: desk.owner.token, body: wrong }))).toBe('400 invalid_request')
  const body = { codes: [sent.trackingId] }
  const [viewer, reader] = [await desk.member('viewer'), await desk.member('agent', ['parcels:read'])]
  const list = `${desk.of}/returns/expected`
  for (const [method, at] of [
    ['POST', path],
    ['GET', list],
  ] as const) {
    const ask = (as?: string) => call(method, at, { ...(as && { as }), ...(method === 'POST' && { body }) })
    expect(codeOf(await ask())).toBe('401 unauthenticated')
    for (const as of [other.key, (await person()).token]) expect(codeOf(await ask(as))).toBe('404 not_found')
    if (method === 'POST') for (const { token } of [viewer, reader]) expect(codeOf(await ask(token))).toBe('403 forbidden')
    else expect((await ask(reader.token)).status).toBe(200)
  }
  expect((await receive(other, [sent.trackingId]))[0]).toMatchObject({ outcome: 'refused', reason: 'unknown', parcel: null })
  expect(await desk.onHand()).toBe(99)
})
