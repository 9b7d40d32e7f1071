import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { atlas, put } from '../../plugins/atlas.ts'
import { startApp } from '../../support/app.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'

/** A carrier that lists the communes of one state a call, and takes few calls. */
const slow = atlas({
  extra: `const names = { '16': 'El Biar', '31': 'Es Senia', '09': 'Boufarik', '25': 'El Khroub', '06': 'Akbou', '13': 'Maghnia' }`,
  members: `
    states: () => Object.keys(names).map((id) => ({ id, code: id, name: id, deliverable: true })),
    async cities(context, { stateId }) {
      if (stateId === undefined) throw new CarrierError('refused', 'One state at a time.')
      const answer = await context.fetch('https://api.atlas.example/' + stateId)
      return [{ id: stateId, name: names[stateId] + (answer.ok ? '' : '?'), stateId, home: true, pickup: false }]
    },`,
}).replace('rateWindows: []', 'rateWindows: [{ calls: 10, seconds: 4 }]')

test('communes that a carrier lists state by state are read in the background, as its quota allows', async () => {
  const folder = await scratchFolder()
  await put(join(folder, 'atlas'), { 'index.ts': slow })
  const asked: string[] = []
  const carrier = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: ({ url }) => new Response(String(asked.push(new URL(url).pathname))) })
  const { ok, call, shop } = await startApp({ adapterDirs: [folder], simulators: { 'api.atlas.example': carrier.url.origin } })
  const { storeId, owner } = await shop()
  const base = `/v1/stores/${storeId}/integrations/atlas`
  await ok('PUT', base, { as: owner.token, body: { enabled: true, credentials: { token: 'x' }, settings: {} } })
  const matches = () => call('GET', `${base}/geo/matches`, { as: owner.token })
  await until(async () => (await matches()).status === 200, 25_000)
  const { data } = (await matches()).body
  expect(data.map(({ name }: { name: string }) => name).sort()).toEqual([
    'Akbou',
    'Boufarik',
    'El Biar',
    'El Khroub',
    'Es Senia',
    'Maghnia',
  ])
  expect(asked.sort()).toEqual(['/06', '/09', '/13', '/16', '/25', '/31'])
  await carrier.stop(true)
}, 120_000)

test('resolve: the states of a carrier are read once, so that a small quota serves addresses of many states', async () => {
  const folder = await scratchFolder()
  const counting = atlas({
    extra: `const names = { '16': 'El Biar', '31': 'Es Senia', '09': 'Boufarik' }`,
    members: `
    async states(context) {
      await context.fetch('https://api.atlas.example/states')
      return Object.keys(names).map((id) => ({ id, code: id, name: id, deliverable: true }))
    },
    async cities(context, { stateId }) {
      if (stateId === undefined) throw new CarrierError('refused', 'One state at a time.')
      await context.fetch('https://api.atlas.example/' + stateId)
      return [{ id: stateId, name: names[stateId], stateId, home: true, pickup: false }]
    },`,
  }).replace('rateWindows: []', 'rateWindows: [{ calls: 20, seconds: 600 }]')
  await put(join(folder, 'atlas'), { 'index.ts': counting })
  const asked: string[] = []
  const carrier = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: ({ url }) => new Response(String(asked.push(new URL(url).pathname))) })
  const { ok, call, shop } = await startApp({ adapterDirs: [folder], simulators: { 'api.atlas.example': carrier.url.origin } })
  const { storeId, owner } = await shop()
  const base = `/v1/stores/${storeId}/integrations/atlas`
  await ok('PUT', base, { as: owner.token, body: { enabled: true, credentials: { token: 'x' }, settings: {} } })
  await until(async () => (await call('GET', `${base}/geo/matches`, { as: owner.token })).status === 200, 25_000)
  asked.length = 0
  for (const [state, city] of [
    ['16', 'El Biar'],
    ['31', 'Es Senia'],
    ['09', 'Boufarik'],
  ]) {
    const { data } = await ok('POST', `${base}/resolve`, { as: owner.token, body: { state, city } })
    expect(data.place.cityId).toBe(state)
  }
  expect(asked).toEqual(['/states', '/16', '/31', '/09'])
  await carrier.stop(true)
}, 120_000)
