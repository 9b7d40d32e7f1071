import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startApp } from '../../support/app.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'

/** Knows one commune of Algiers, by the name that people there use, and no other word for it. */
const ADAPTER = `import { carrier, CarrierError } from 'serai/carrier'
const at = ({ destination }) => {
  if (destination && destination.cityName !== 'Belcourt') throw new CarrierError('refused', 'There is no ' + destination.cityName)
}
export default carrier({
  slug: 'local', label: 'Local', countries: ['DZ'], currency: 'DZD', net: [], credentials: {}, settings: {},
  exactlyOnce: 'idempotencyKey', settleSeconds: 5, rateWindows: [], deliveryTypes: ['home'], editableIn: ['submitted'], editable: ['destination', 'codAmount'], cancellableIn: [], statuses: {},
  testConnection: () => ({}),
  states: () => [{ id: '16', name: 'Alger', code: '16', deliverable: true }],
  cities: () => [{ id: '1', name: 'Belcourt', stateId: '16', home: true, pickup: false }],
  send: (_, shipment) => { at(shipment); return { trackingId: shipment.reference } },
  edit: (_, trackingId, change) => { if (Object.keys(change).some((name) => name !== 'destination' && name !== 'codAmount')) throw new Error('told too much'); at(change) },
})`

test('an edit names the commune as the carrier does, as the sending did', async () => {
  const folder = await scratchFolder()
  await mkdir(join(folder, 'local'))
  await writeFile(join(folder, 'local', 'index.ts'), ADAPTER)
  const { ok, call, person, shop } = await startApp({ adapterDirs: [folder] })
  await person('The administrator')
  const { storeId, owner, key } = await shop()
  const base = `/v1/stores/${storeId}/integrations/local`
  const { data: account } = await ok('PUT', base, { as: owner.token, body: { enabled: true, credentials: {}, settings: {} } })
  expect((await ok('GET', `${base}/geo/matches`, { as: owner.token })).data).toMatchObject([{ cityCode: '1604', name: 'Belcourt' }])
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Mohamed Belouizdad', address: 'rue 1', deliveryType: 'home' }
  const { data } = await ok('POST', '/v1/parcels', {
    as: key,
    body: { submit: true, carrierAccountId: account.id, recipient: { name: 'Lina', phone: '0550123456' }, destination, codAmount: 900 },
  })
  await until(async () => (await ok('GET', `/v1/parcels/${data.id}`, { as: key })).data.status === 'submitted')
  const edited = await ok('PATCH', `/v1/parcels/${data.id}`, { as: key, body: { destination: { address: 'rue 2' }, codAmount: 900 } })
  expect(edited.data).toMatchObject({ status: 'submitted', destination: { cityName: 'Mohamed Belouizdad', address: 'rue 2' } })

  const change = (body: object) => call('PATCH', `/v1/parcels/${data.id}`, { as: key, body })
  const refused = await change({ codAmount: 700, notes: 'after six', dimensions: { lengthCm: 1, widthCm: 2, heightCm: 3 } })
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { code: 'parcel_not_editable', details: [{ path: '/body/dimensions' }, { path: '/body/notes' }] } },
  })
  expect(refused.body.error.message).toContain('Local can change only destination, codAmount of a submitted parcel, not dimensions, notes.')
  expect((await ok('GET', `/v1/parcels/${data.id}`, { as: key })).data).toMatchObject({ codAmount: 900, notes: '' })
  // What is as it was needs nobody's leave.
  expect((await change({ codAmount: 700, notes: '', weightKg: 0 })).body.data).toMatchObject({ codAmount: 700 })
})
