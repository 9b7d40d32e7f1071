import { expect, test } from 'bun:test'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startApp } from '../support/app.ts'
import { scratchFolder } from '../support/scratch.ts'
import { until } from '../support/until.ts'
import { swapUnderLoad } from './swaps.ts'

/** Somebody always asks, and leaves time for what is swapped. */
const PAUSE_MS = 10
const folder = await scratchFolder()
const app = await startApp({ adapterDirs: [folder] }, { socket: true })
const { call, ok, shop, person } = app
const admin = await person('The administrator')

const adapter = (price: number, extra = '') => `import { carrier } from 'serai/carrier'
import { fee } from './fee.ts'
${extra}
export default carrier({
  slug: 'atlas', label: 'Atlas', countries: ['DZ'], currency: 'DZD', net: ['api.atlas.example'], credentials: { token: { label: 'Token', secret: true } }, settings: {},
  exactlyOnce: 'unsafe', settleSeconds: 5, rateWindows: [], deliveryTypes: ['home'], editableIn: [], cancellableIn: [], statuses: { Done: 'delivered' },
  testConnection: () => ({}),
  send: () => { throw new Error('not asked here') },
  fees: () => [{ stateCode: '16', home: fee + ${price}, pickup: null }],
})`

async function write(files: Record<string, string>) {
  await mkdir(join(folder, 'atlas'), { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'atlas', name), text)
}

test('a folder is taken up, changed and removed without a restart and without one failed request', async () => {
  const { storeId, owner, key } = await shop()
  const fees = () => call('GET', `/v1/stores/${storeId}/integrations/atlas/fees`, { as: key })
  expect((await fees()).status).toBe(404)
  let asking = true
  const failures: number[] = []
  let asked = 0
  const load = Array.from({ length: 4 }, async () => {
    for (; asking; asked += 1, await Bun.sleep(PAUSE_MS)) {
      const { status } = await call('GET', `/v1/stores/${storeId}`, { as: key })
      if (status !== 200) failures.push(status)
    }
  })
  await write({ 'fee.ts': 'export const fee = 100', 'index.ts': adapter(1) })
  await until(
    async () =>
      (
        await call('PUT', `/v1/stores/${storeId}/integrations/atlas`, {
          as: owner.token,
          body: { enabled: true, credentials: { token: 't' } },
        })
      ).status === 200,
  )
  expect((await fees()).body.data[0].home).toBe(101)
  await write({ 'fee.ts': 'export const fee = 200' }) // what the entry imports is read anew too
  await until(async () => (await fees()).body.data?.[0].home === 201)
  await write({ 'index.ts': 'half a fi' })
  await until(async () => (await ok('GET', '/v1/adapters', { as: admin.token })).rejected.length === 1)
  expect((await fees()).body.data[0].home).toBe(201) // what worked goes on
  await write({ 'index.ts': adapter(2) })
  await until(async () => (await fees()).body.data?.[0].home === 202)
  await rm(join(folder, 'atlas'), { recursive: true })
  await until(async () => (await fees()).status === 404)
  asking = false
  await Promise.all(load)
  expect(failures).toEqual([])
  expect(asked).toBeGreaterThan(50)
})

test('a broken folder is reported with its reason and stops nothing', async () => {
  const rejected = async () => (await ok('GET', '/v1/adapters', { as: admin.token })).rejected as { folder: string; reason: string }[]
  for (const [text, reason] of [
    ['export default {', /./],
    ["throw new Error('at load')", /at load/],
    ['export default { kind: "carrier", slug: "Bad Slug" }', /slug "Bad Slug"/],
    [adapter(1).replace("slug: 'atlas'", "slug: 'sandbox'"), /another adapter has the slug/],
    [adapter(1).replace("'delivered'", "'arrived'"), /"arrived", which is not a parcel status/],
  ] as const) {
    await write({ 'fee.ts': 'export const fee = 1', 'index.ts': text })
    await until(async () => reason.test((await rejected()).find((row) => row.folder.endsWith('atlas'))?.reason ?? ''))
    const { data } = await ok('GET', '/v1/adapters', { as: admin.token })
    expect(data.map((row: { key: string }) => row.key)).toContain('sandbox')
  }
  const { key } = await shop()
  expect((await ok('GET', '/v1/adapters', { as: key })).rejected).toEqual([])
  await write({ 'index.ts': adapter(5) })
  await until(async () => (await rejected()).length === 0)
})

test('swapped again and again under a steady load, no request fails, neither of the server nor of the adapter itself', async () => {
  const { storeId, owner, key } = await shop()
  const base = `/v1/stores/${storeId}/integrations/atlas`
  await ok('PUT', base, { as: owner.token, body: { enabled: true, credentials: { token: 't' } } })
  const paths = [`${base}/fees`, `/v1/stores/${storeId}`]
  const { asked, failed } = await swapUnderLoad(
    8,
    100,
    async (time) => {
      await write({ 'index.ts': adapter(1000 + time) })
      await until(async () => (await call('GET', paths[0]!, { as: key })).body.data?.[0].home === 1001 + time)
    },
    async (turn) => {
      const { status, body } = await call('GET', paths[turn % 2]!, { as: key })
      return status === 200 ? undefined : `${status} ${JSON.stringify(body)}`
    },
  )
  expect(failed).toEqual([])
  expect(asked).toBeGreaterThan(100)
})
