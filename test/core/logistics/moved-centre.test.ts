import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startApp } from '../../support/app.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { untilWaiting } from '../../support/waiting.ts'

const folder = await scratchFolder()
await mkdir(join(folder, 'depot'))
await writeFile(
  join(folder, 'depot/index.ts'),
  `import { carrier } from 'serai/carrier'
export default carrier({
  slug: 'depot', label: 'Depot', countries: ['DZ'], currency: 'DZD', net: [], credentials: {}, settings: {},
  exactlyOnce: 'unsafe', settleSeconds: 5, rateWindows: [], deliveryTypes: ['home', 'pickup'], editableIn: [], cancellableIn: [], statuses: {},
  testConnection: () => ({}),
  send: (_, { reference }) => ({ trackingId: 'D-' + reference }),
  centers: (_, { stateId }) => [{ id: 'D' + stateId, name: 'Depot', stateId, cityName: 'Oran', address: '' }],
})`,
)
const { ok, shop, context } = await startApp({ adapterDirs: [folder], adapterIsolation: 'none' })
const { storeId, owner, key } = await shop()
const connect = async (slug: string): Promise<string> =>
  (await ok('PUT', `/v1/stores/${storeId}/integrations/${slug}`, { as: owner.token, body: { enabled: true, credentials: {} } })).data.id
const [sandbox, depot] = [await connect('sandbox'), await connect('depot')]

const arzew = { country: 'DZ', stateCode: '31', cityName: 'Arzew', deliveryType: 'pickup' }
const elsewhere = { stateCode: '16', cityName: 'Bab Ezzouar' }
const create = async (change: object, destination: object = {}) => {
  const body = { recipient: { name: 'Lina', phone: '0550123456' }, destination: { ...arzew, ...destination }, ...change }
  return (await ok('POST', '/v1/parcels', { as: key, body })).data.id as string
}
const edit = (id: string, body: object) => ok('PATCH', `/v1/parcels/${id}`, { as: key, body })
const submit = (id: string) => ok('POST', `/v1/parcels/${id}/submit`, { as: key })

test('pickup centre: a chosen centre stays with its town; a new town gets its nearest centre, which is reported', async () => {
  const id = await create({ carrierAccountId: sandbox })
  const first = await edit(id, { destination: { address: 'Rue 2' } })
  expect(first.destinationRewritten.to.pickupId).toBe('SBC31')
  const again = await edit(id, { destination: { address: 'Rue 3' } })
  expect([again.data.destination.pickupId, again.destinationRewritten]).toEqual(['SBC31', undefined])
  const moved = await edit(id, { destination: elsewhere })
  expect(moved.data.destination).toMatchObject({ stateCode: '16', pickupId: 'SBC16', address: 'Rue 3' })
  expect(moved.destinationRewritten).toMatchObject({ from: elsewhere, to: { stateCode: '16', pickupId: 'SBC16' } })
  const { data } = await submit(id)
  expect([data.status, data.destination.pickupId]).toEqual(['submitted', 'SBC16'])
  // The carrier, which has it by now, is told the same.
  const back = await edit(id, { destination: { stateCode: '31', cityName: 'Arzew' } })
  expect([back.data.destination.pickupId, back.destinationRewritten.to.pickupId]).toEqual(['SBC31', 'SBC31'])
})

test('pickup centre: a centre that is sent together with the town is kept', async () => {
  const id = await create({ carrierAccountId: sandbox }, { pickupId: 'SBC31' })
  const moved = await edit(id, { destination: { ...elsewhere, pickupId: 'SBC16' } })
  expect(moved.data.destination).toMatchObject({ cityName: 'Bab Ezzouar', pickupId: 'SBC16' })
  expect(moved.destinationRewritten).toBeUndefined()
})

test('pickup centre: a centre belongs to one carrier; one that was set before any carrier belongs to the first', async () => {
  const id = await create({}, { pickupId: 'SBC31' })
  expect((await edit(id, { carrierAccountId: sandbox })).data.destination.pickupId).toBe('SBC31')
  expect((await edit(id, { carrierAccountId: sandbox, notes: 'Ring' })).data.destination.pickupId).toBe('SBC31')
  expect((await edit(id, { carrierAccountId: depot })).data.destination).toMatchObject({ cityName: 'Arzew', pickupId: null })
  const { data, destinationRewritten } = await submit(id)
  expect([data.status, data.destination.pickupId, destinationRewritten.to.pickupId]).toEqual(['submitted', 'D31', 'D31'])

  const both = await create({ carrierAccountId: sandbox }, { pickupId: 'SBC31' })
  const moved = await edit(both, { carrierAccountId: depot, destination: { address: 'Rue 2' } })
  expect(moved.data.destination.pickupId).toBe('D31')
})

test('given another carrier while the nearest centre was looked for, it has the nearest of that one', async () => {
  const id = await create({ carrierAccountId: sandbox })
  const edits = await context.sql.begin(async (tx) => {
    await tx`select 1 from parcels where id = ${id} for update`
    const moved = edit(id, { carrierAccountId: depot })
    await untilWaiting(context.sql, 1)
    const told = edit(id, { destination: { address: 'Rue 2' } })
    await untilWaiting(context.sql, 2)
    return { moved, told }
  })
  await edits.moved
  const { data, destinationRewritten } = await edits.told
  expect(data).toMatchObject({ carrierAccountId: depot, destination: { pickupId: 'D31', address: 'Rue 2' } })
  expect(destinationRewritten.to.pickupId).toBe('D31')
})
