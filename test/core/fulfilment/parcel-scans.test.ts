import { describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { packingDesk } from '../../support/packing.ts'

const app = await startApp()
const { call, ok, person, context } = app
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => `${status} ${body.error?.code}`

describe('packing by scan', () => {
  test('a parcel is recorded once, with the time and the person', async () => {
    const desk = await packingDesk(app)
    const sent = await desk.send()
    const [first] = await desk.pack([sent.trackingId])
    expect(first).toMatchObject({
      code: sent.trackingId,
      outcome: 'done',
      reason: null,
      parcel: { id: sent.parcelId, orderId: sent.orderId, carrier: 'sandbox', recipientName: 'Lina' },
      by: { kind: 'person', id: desk.owner.id, name: 'Owner' },
    })
    const packer = await desk.member('agent')
    const [again] = await desk.pack([` ${sent.trackingId.toLowerCase()} `], { as: packer.token })
    expect(again).toMatchObject({ outcome: 'done_before', at: first.at, by: { id: desk.owner.id } })
    const { data: audit } = await ok('GET', `/v1/stores/${desk.storeId}/audit?what=parcel.packed`, { as: desk.owner.token })
    expect(audit).toHaveLength(1)
    expect(audit[0]).toMatchObject({ thing: sent.parcelId, after: { carrier: 'sandbox', trackingId: sent.trackingId } })
  })

  test('the reference of an order names its parcel once the label was printed', async () => {
    const desk = await packingDesk(app)
    const sent = await desk.send()
    expect((await desk.pack([sent.reference]))[0]).toMatchObject({ outcome: 'refused', reason: 'not_printed', at: null, by: null })
    await desk.print(sent)
    expect((await desk.pack([sent.reference]))[0]).toMatchObject({ outcome: 'done', parcel: { id: sent.parcelId } })
  })

  test('each code has its own result: unknown, unsent, cancelled, delivered, of another carrier, named twice', async () => {
    const desk = await packingDesk(app)
    const [good, gone, over] = [await desk.send(), await desk.send(), await desk.send()]
    const unsent = await desk.place()
    const other = await desk.unsentParcel()
    await ok('POST', `/v1/parcels/${gone.parcelId}/cancel`, { as: desk.key })
    await desk.report(over, 'delivered')
    const rows = await desk.pack([
      'nobody',
      unsent.reference,
      other.reference,
      gone.trackingId,
      over.trackingId,
      good.trackingId,
      good.trackingId,
    ])
    expect(rows.map(({ outcome, reason }) => reason ?? outcome)).toEqual([
      'unknown',
      'unknown',
      'not_sent',
      'cancelled',
      'ended',
      'done',
      'done_before',
    ])
    const theirs = await desk.send()
    await context.sql`update parcels set carrier_account_id = 'int_of_another' where id = ${theirs.parcelId}`
    const [elsewhere] = await desk.pack([theirs.trackingId], { connectionId: desk.connectionId })
    expect(elsewhere).toMatchObject({ outcome: 'refused', reason: 'other_carrier', parcel: { carrier: 'sandbox' } })
  })

  test('a parcel that is cancelled after it was packed is refused, so that it does not leave', async () => {
    const desk = await packingDesk(app)
    const sent = await desk.send()
    await desk.pack([sent.trackingId])
    await ok('POST', `/v1/parcels/${sent.parcelId}/cancel`, { as: desk.key })
    expect((await desk.pack([sent.trackingId]))[0]).toMatchObject({ outcome: 'refused', reason: 'cancelled' })
    expect((await desk.handOver([sent.trackingId]))[0]).toMatchObject({ outcome: 'refused', reason: 'cancelled' })
  })

  test('an order in several parcels needs the label of each', async () => {
    const desk = await packingDesk(app)
    const order = await desk.place(2)
    const part = async (name: string) => (await desk.sendOrder(order.id, { part: name, items: [{ item: 0, quantity: 1 }] })).parcel
    const [one, two] = [await part('A'), await part('B')]
    const rows = await desk.pack([order.reference, one.trackingId, two.trackingId])
    expect(rows.map(({ outcome, reason }) => reason ?? outcome)).toEqual(['ambiguous', 'done', 'done'])
  })

  test('two who scan the same parcels at once: each parcel is done by one of them', async () => {
    const desk = await packingDesk(app)
    const sent = [await desk.send(), await desk.send(), await desk.send()]
    const codes = sent.map(({ trackingId }) => trackingId)
    const packer = await desk.member('agent')
    const both = await Promise.all([desk.pack(codes), desk.pack(codes.toReversed(), { as: packer.token })])
    for (const { trackingId } of sent) {
      const rows = both.flat().filter(({ code }) => code === trackingId)
      expect(rows.map(({ outcome }) => outcome).sort()).toEqual(['done', 'done_before'])
      expect(new Set(rows.map(({ at, by }) => `${at} ${by.id}`)).size).toBe(1)
    }
  })
})

describe('handing over by scan', () => {
  test('needs no packing, and is recorded once', async () => {
    const desk = await packingDesk(app)
    const sent = await desk.send()
    const [first] = await desk.handOver([sent.trackingId])
    expect(first).toMatchObject({ outcome: 'done', by: { id: desk.owner.id } })
    await desk.report(sent, 'picked_up')
    expect((await desk.handOver([sent.trackingId]))[0]).toMatchObject({ outcome: 'done_before', at: first.at })
    const [row] = await context.sql`select packed_at, handed_over_at from parcels where id = ${sent.parcelId}`
    expect(row).toMatchObject({ packedAt: null, handedOverAt: first.at })
  })
})

test('scans: malformed requests, requests without the right and codes of another store are refused', async () => {
  const [desk, other] = [await packingDesk(app), await packingDesk(app)]
  const sent = await desk.send()
  for (const step of ['pack', 'hand-over']) {
    const path = `/v1/stores/${desk.storeId}/parcels/${step}`
    const wrong = [
      {},
      { codes: [] },
      { codes: [' '] },
      { codes: Array(101).fill('A') },
      { codes: ['A'], by: 'me' },
      { codes: ['A'], connectionId: other.connectionId },
    ]
    for (const body of wrong) expect(codeOf(await call('POST', path, { as: desk.key, body }))).toBe('400 invalid_request')
    const body = { codes: [sent.trackingId] }
    expect(codeOf(await call('POST', path, { body }))).toBe('401 unauthenticated')
    expect(codeOf(await call('POST', path, { as: (await desk.member('viewer')).token, body }))).toBe('403 forbidden')
    expect(codeOf(await call('POST', path, { as: (await desk.member('agent', ['parcels:read'])).token, body }))).toBe('403 forbidden')
    expect(codeOf(await call('POST', path, { as: other.key, body }))).toBe('404 not_found')
    expect(codeOf(await call('POST', path, { as: (await person()).token, body }))).toBe('404 not_found')
  }
  const [foreign] = await other.pack([sent.trackingId])
  expect(foreign).toMatchObject({ outcome: 'refused', reason: 'unknown', parcel: null })
})
