import { expect, test } from 'bun:test'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { adapterErrorNames } from '../../plugins/adapter.ts'
import { shipment } from '../../plugins/carrier/acceptance.ts'
import { openApprovals } from '../../plugins/host/approvals.ts'
import { openRegistry } from '../../plugins/host/registry.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { scratchFolder } from '../support/scratch.ts'
import { until } from '../support/until.ts'
import { atlas, contextOf, put } from './atlas.ts'

const adapters = await scratchFolder()
const dataDir = await scratchFolder()
const home = join(adapters, 'atlas')
const start = () => startApp({ adapterDirs: [adapters], dataDir, adapterApproval: 'ask' }, { socket: true })

async function command(...given: string[]) {
  const env = { ...process.env, DATA_DIR: dataDir, ADAPTER_DIRS: adapters, ADAPTER_APPROVAL: 'ask' }
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../core/main.ts'), 'adapter', ...given], { env, stderr: 'pipe' })
  const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  return { code: await child.exited, said }
}

/** What an administrator sees, and what a store is charged. */
async function visitor(app: TestApp) {
  const admin = await app.person('The administrator')
  const { storeId, owner } = await app.shop()
  const base = `/v1/stores/${storeId}/integrations/atlas`
  const adapters = () => app.ok('GET', '/v1/adapters', { as: admin.token })
  return {
    owner,
    pending: async () => (await adapters()).pending as { folder: string; slugs: string[]; hash: string; hosts: string[]; change: string }[],
    rejected: async () => (await adapters()).rejected as { folder: string; reason: string }[],
    serves: async () => ((await adapters()).data as { key: string }[]).some(({ key }) => key === 'atlas'),
    connect: () => app.ok('PUT', base, { as: owner.token, body: { enabled: true, credentials: { token: 't' } } }),
    fee: async () => (await app.call('GET', `${base}/fees`, { as: owner.token })).body.data?.[0].home as number | undefined,
  }
}

const first = await start()
const shop = await visitor(first)

test('what is new waits, is shown to administrators alone, and serves once it is approved by command', async () => {
  await put(home, { 'index.ts': atlas({ price: 1 }) })
  await until(async () => (await shop.pending()).length === 1)
  const [waiting] = await shop.pending()
  expect(waiting).toMatchObject({ folder: home, slugs: ['atlas'], hosts: ['api.atlas.example'], change: 'new' })
  expect(await shop.serves()).toBe(false)
  expect((await first.ok('GET', '/v1/adapters', { as: shop.owner.token })).pending).toEqual([])

  const wrong = await command('approve', 'atlas', '0123456789')
  expect(wrong.code).toBe(1)
  const inspected = await command('inspect', home)
  expect([inspected.code, inspected.said]).toEqual([0, expect.stringContaining(waiting!.hash)])
  expect(inspected.said).toContain('api.atlas.example')
  expect(await command('approve', 'atlas', waiting!.hash)).toMatchObject({ code: 0 })
  await until(shop.serves)
  expect(await shop.pending()).toEqual([])
  await shop.connect()
  expect(await shop.fee()).toBe(1)
})

test('changed code waits while what was approved goes on, also over a restart, and an approval fails no request', async () => {
  await put(home, { 'index.ts': atlas({ price: 2 }) })
  await until(async () => (await shop.pending())[0]?.change === 'code')
  expect(await shop.fee()).toBe(1)
  expect((await command('list')).said).toContain('its code changed')

  const again = await visitor(await start())
  await again.connect()
  expect([await again.fee(), (await again.pending())[0]?.change]).toEqual([1, 'code'])

  let asking = true
  const seen = new Set<number | undefined>()
  const load = (async () => {
    for (; asking; await Bun.sleep(5)) seen.add(await shop.fee())
  })()
  expect((await command('approve', home)).code).toBe(0)
  await until(async () => seen.has(2))
  asking = false
  await load
  expect(seen).toEqual(new Set([1, 2]))
  await until(async () => (await again.fee()) === 2)
})

test('who wants to reach more waits too, and says so', async () => {
  await put(home, { 'index.ts': atlas({ price: 3, hosts: ['api.atlas.example', 'elsewhere.example'] }) })
  await until(async () => (await shop.pending())[0]?.change === 'hosts')
  expect((await command('inspect', 'atlas')).said).toContain('requests more hosts: elsewhere.example')
  expect(await shop.fee()).toBe(2)
})

test('a half written file is reported, and what was approved goes on, also over a restart', async () => {
  await put(home, { 'index.ts': 'half a fi' })
  await until(async () => (await shop.rejected()).some(({ folder }) => folder === home))
  expect(await shop.fee()).toBe(2)
  const again = await visitor(await start())
  await again.connect()
  expect(await again.fee()).toBe(2)
})

test('what is taken back or taken away serves no more', async () => {
  await put(home, { 'index.ts': atlas({ price: 2 }) })
  await until(async () => (await shop.pending()).length === 0)
  expect((await command('remove', 'atlas')).code).toBe(0)
  await until(async () => !(await shop.serves()))
  expect((await shop.pending())[0]?.change).toBe('new')
  expect((await command('approve', 'atlas')).code).toBe(0)
  await until(shop.serves)
  await rm(home, { recursive: true })
  await until(async () => !(await shop.serves()))
  expect((await command('remove', 'atlas')).code).toBe(0) // its approval does not outlast it
})

test('an adapter is added from a folder, waits, serves, and is deleted by its removal', async () => {
  const source = join(await scratchFolder(), 'atlas')
  await put(source, { 'index.ts': atlas({ price: 7 }) })
  await put(join(source, 'node_modules/x'), { 'index.ts': 'never copied' })
  const added = await command('add', source)
  expect([added.code, added.said]).toEqual([0, expect.stringContaining('api.atlas.example')])
  const installed = join(dataDir, 'adapters/installed/atlas')
  await until(async () => (await shop.pending()).some(({ folder }) => folder === installed))
  expect(await Bun.file(join(installed, 'node_modules/x/index.ts')).exists()).toBe(false)
  expect((await command('approve', installed)).code).toBe(0)
  await until(async () => (await shop.fee()) === 7)
  expect((await command('remove', 'atlas')).code).toBe(0)
  await until(async () => !(await shop.serves()))
  expect(await Bun.file(join(installed, 'index.ts')).exists()).toBe(false)
  expect(JSON.parse(await readFile(join(dataDir, 'adapters/approved.json'), 'utf8')).adapters).toEqual({})
})

/** As it was bundled when there were carriers alone: its class of failures has their name. */
const ELDER = `class CarrierError extends Error {
  name = 'CarrierError'
  upstream = { code: 'E7' }
  constructor(reason, message) { super(message); this.reason = reason }
}
mount({
  kind: 'carrier', contract: 2, slug: 'elder', label: 'Elder', countries: ['DZ'], currency: 'DZD', net: [], credentials: {}, settings: {},
  exactlyOnce: 'unsafe', settleSeconds: 5, rateWindows: [], deliveryTypes: ['home'], editableIn: [], cancellableIn: [], statuses: {},
  testConnection: () => ({}), send: () => { throw new CarrierError('refused', 'Not today.') },
})`

test.each(['third-party', 'none'] as const)(
  'code that was approved before there were other kinds goes on, isolation %s',
  async (isolation) => {
    const [shelf, data] = [await scratchFolder(), await scratchFolder()]
    const folder = join(shelf, 'elder')
    await put(folder, { 'index.ts': atlas({ slug: 'elder' }) })
    const read: { definition?: object } = {}
    new Function('mount', ELDER)((definition: object) => Object.assign(read, { definition }))
    const declared = [{ data: JSON.parse(JSON.stringify(read.definition)), functions: ['testConnection', 'send'] }]
    const bundle = { code: ELDER, hash: new Bun.CryptoHasher('sha256').update(ELDER).digest('hex') }
    await openApprovals(data).approve(folder, { bundle, declared }, { slugs: ['elder'], hosts: [] })
    const registry = await openRegistry(
      { own: [], others: [shelf], enabled: [], isolation, approval: 'ask' },
      { folder: data, processes: 2, memoryMb: 64 },
      { rejected() {}, pending() {}, process() {} },
    )
    const { carrier } = registry.find('carrier', 'elder') ?? {}
    const failure = await Promise.resolve()
      .then(() => carrier?.send(contextOf('elder'), shipment()))
      .catch((error: Error & { reason?: string; upstream?: object }) => error)
    expect(failure).toMatchObject({ reason: 'refused', message: 'Not today.', upstream: { code: 'E7' } })
    expect(adapterErrorNames).toContain((failure as Error).name)
    await registry.close()
  },
)

test('a command that cannot be done says why and how it is asked', async () => {
  expect(await command('approve', 'nobody')).toMatchObject({ code: 1, said: expect.stringContaining('There is no adapter "nobody"') })
  expect(await command('approve', 'yalidine')).toMatchObject({ code: 1, said: expect.stringContaining('needs no approval') })
  expect(await command('approve')).toMatchObject({ code: 2, said: expect.stringContaining('Usage: serai adapter approve') })
  expect(await command('adopt')).toMatchObject({ code: 2, said: expect.stringContaining('inspect <slug|folder>') })
  expect(await command('add', 'not a package')).toMatchObject({ code: 1 })
})
