import { afterAll, expect, test } from 'bun:test'
import { startYalidine } from '../../adapters/carrier/yalidine/simulator.ts'
import { startApp } from '../../support/app.ts'
import { allOf } from '../../support/pages.ts'

const simulator = await startYalidine({})
afterAll(() => simulator.stop())
const { call, ok, shop, person, context } = await startApp({ simulators: { 'api.yalidine.app': simulator.url } })
await person('The administrator')
const { storeId, owner, key } = await shop()
const base = `/v1/stores/${storeId}/integrations`
const { data: connected } = await ok('PUT', `${base}/yalidine`, {
  as: owner.token,
  body: { enabled: true, credentials: { ...simulator.credentials }, settings: { fromStateCode: '16' } },
})

test('an address is read in the words of the connection, however the carrier writes its places', async () => {
  const places = await allOf<{ cityCode: string; id: string; name: string }>({ ok }, `${base}/yalidine/geo/matches`, owner.token)
  const ask = async (body: object) => (await ok('POST', `${base}/yalidine/resolve`, { as: owner.token, body })).data
  const [arzew] = places.filter(({ cityCode }) => cityCode === '3106')
  expect((await ask({ state: '31', city: 'arzeu' })).place).toMatchObject({ cityId: arzew!.id, cityName: arzew!.name })
  // What the table says is what counts, not how the name looks.
  const renamed = places.map((place) => (place.cityCode === '3106' ? { ...place, id: places[0]!.id } : place))
  await context.sql`update carrier_places set matched = ${context.sql.json(renamed)} where connection_id = ${connected.id}`
  expect(await ask({ state: '31', city: 'arzeu' })).toMatchObject({ place: { cityId: null }, deliverable: { home: null } })
  await context.sql`update carrier_places set matched = ${context.sql.json(places)} where connection_id = ${connected.id}`
  expect(await ask({ state: 'nulle part' })).toMatchObject({ stateCode: null, place: null, deliverable: { home: null, pickup: null } })
})

test("a recipient's score counts of other stores what ended alone, by the phone of the store's country, and not without end", async () => {
  const [mine, theirs] = [await shop(), await shop()]
  const asked = (of: typeof mine, phone: string) =>
    call('POST', `/v1/stores/${of.storeId}/integrations/sandbox/scoring`, { as: of.key, body: { phone } })
  for (const { storeId, owner, key, projectId } of [mine, theirs]) {
    const body = { enabled: true, credentials: { webhookSecret: 'x' } }
    const { data } = await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, { as: owner.token, body })
    const destination = { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: 'x', deliveryType: 'home' }
    for (const status of ['delivered', 'returned', 'in_transit', 'cancelled', 'returning']) {
      const parcel = { carrierAccountId: data.id, recipient: { name: 'Lina', phone: '0662 00 00 09' }, destination, codAmount: 1 }
      const { id } = (await ok('POST', '/v1/parcels', { as: key, body: parcel })).data
      await context.sql`update parcels set status = ${status} where id = ${id} and project_id = ${projectId}`
    }
  }
  for (const phone of ['0662000009', '+213 662-00-00-09', '٠٦٦٢٠٠٠٠٠٩', '00213662000009'])
    expect((await asked(mine, phone)).body.data).toEqual({ phone: '+213662000009', parcels: 6, delivered: 2, returned: 3, score: 0.4 })
  const wrong = await asked(mine, '1234')
  expect([wrong.status, wrong.body.error.code]).toEqual([422, 'invalid_phone'])
  let last = await asked(theirs, '0662000009')
  for (let tries = 0; tries < 310 && last.status === 200; tries += 1) last = await asked(theirs, `06620${String(tries).padStart(5, '0')}`)
  expect([last.status, last.body.error.code, Number(last.headers.get('retry-after')) > 60]).toEqual([429, 'rate_limited', true])
  expect((await asked(mine, '0662000009')).status).toBe(200)
})

test('connections: each of several parcels is cancelled by itself, and one failure hides no other outcome', async () => {
  const sent: string[] = []
  for (const name of ['Un', 'Deux', 'Trois']) {
    const destination = { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: 'x', deliveryType: 'home' }
    const body = {
      submit: true,
      carrierAccountId: connected.id,
      recipient: { name: `${name} A`, phone: '0660112299' },
      codAmount: 5,
      destination,
    }
    sent.push((await ok('POST', '/v1/parcels', { as: key, body })).data.trackingId)
  }
  const remove = async (trackings: string[]) => {
    const { status, body } = await call('POST', `${base}/yalidine/orders/deleteMany`, { as: owner.token, body: { trackings } })
    return [status, body.data.map(({ deleted, message = '' }: { deleted: boolean; message?: string }) => deleted || message !== '')]
  }
  const { data: first } = await ok('DELETE', `${base}/yalidine/orders?trackings=${sent[0]}`, { as: owner.token })
  expect(first).toEqual([{ outcome: 'deleted', trackingId: sent[0], deleted: true }])
  Object.assign(simulator.faults, { on: '^DELETE', error500: 1 })
  expect(await remove([...sent, 'nobody'])).toEqual([200, [true, true, true, true]])
  expect((await ok('GET', '/v1/parcels?status=submitted', { as: key })).data).toHaveLength(2)
  simulator.calm()
  expect(await remove([...sent, 'nobody'])).toEqual([200, [true, true, true, true]])
  expect((await ok('GET', '/v1/parcels?status=submitted', { as: key })).data).toEqual([])
})

test('connections: an invalid date is refused without a call to the carrier', async () => {
  const asked = await call('GET', `${base}/yalidine/list?since=hier`, { as: owner.token })
  expect([asked.status, asked.body.error.details?.[0].path]).toEqual([400, '/query/since'])
  const posted = await call('POST', `${base}/yalidine/list`, { as: owner.token, body: { since: 'hier' } })
  expect([posted.status, posted.body.error.details?.[0].path]).toEqual([400, '/body/since'])
  expect((await call('GET', `${base}/yalidine/list?since=2026-01-01`, { as: owner.token })).status).toBe(200)
})
