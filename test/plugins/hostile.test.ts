import { afterAll, describe, expect, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { cp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../support/app.ts'
import { byTheClock } from '../support/clock.ts'
import { scratchFolder } from '../support/scratch.ts'
import { until } from '../support/until.ts'
import { atlas, put } from './atlas.ts'

// Canaries: nothing may ever reach them.
const reached: string[] = []
const canary = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: { open: () => void reached.push('tcp'), data: (_, bytes) => void reached.push(String(bytes)) },
})
const names = createSocket('udp4', (bytes) => void reached.push(`dns ${bytes.toString('latin1')}`))
await new Promise<void>((resolve) => names.bind(0, '127.0.0.1', resolve))
const secretFile = join(await scratchFolder(), 'secret.json')
await Bun.write(secretFile, '{"secret":"of the server"}')
const macroCanary = join(tmpdir(), 'serai-macro-canary')
await rm(macroCanary, { force: true })

// The one host that they declare.
let slowAtOnce = 0
let mostAtOnce = 0
const declared = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/away') return new Response(null, { status: 302, headers: { location: `http://127.0.0.1:${canary.port}/secret` } })
    if (pathname !== '/slow') return Response.json(Object.fromEntries(request.headers))
    mostAtOnce = Math.max(mostAtOnce, ++slowAtOnce)
    await Bun.sleep(50)
    slowAtOnce -= 1
    return new Response('slow')
  },
})
afterAll(async () => {
  canary.stop(true)
  names.close()
  await declared.stop(true)
})

// Each of them with the definition that they share: an adapter reaches no file but its own.
const hostile = await scratchFolder()
const written = join(import.meta.dir, 'hostile')
for (const slug of await readdir(written)) {
  if (slug.endsWith('.ts')) continue
  await cp(join(written, slug), join(hostile, slug), { recursive: true })
  await cp(join(written, 'harmless.ts'), join(hostile, slug, 'harmless.ts'))
}
const good = await scratchFolder()
await put(join(good, 'atlas'), { 'index.ts': atlas({ price: 42 }) })
const app = await startApp(
  // Who does not hear is ended after two seconds instead of five.
  { adapterDirs: [hostile, good], simulators: { 'api.hostile.example': `http://127.0.0.1:${declared.port}` }, sandboxLookMs: 40 },
  { socket: true },
)
const { call, ok, shop, person, context } = app
const admin = await person('The administrator')
const { storeId, owner } = await shop()
const base = `/v1/stores/${storeId}/integrations`
const connect = (slug: string, token: string) =>
  ok('PUT', `${base}/${slug}`, { as: owner.token, body: { enabled: true, credentials: { token } } })
await connect('atlas', 't')
for (const slug of ['spender', 'liar', 'polluter']) await connect(slug, 'a token of this store')
await connect('reader', secretFile)
await connect('caller', JSON.stringify({ http: canary.port, dns: names.address().port }))

// Ordinary requests, without a pause from here to the end: of the server, and of an adapter that means well.
let asking = true
const times: number[] = []
const failed: string[] = []
const ordinary = (async () => {
  for (let turn = 0; asking; turn += 1) {
    const began = performance.now()
    const path = turn % 2 === 0 ? `/v1/stores/${storeId}` : `${base}/atlas/fees`
    const { status, body } = await call('GET', path, { as: owner.token })
    times.push(performance.now() - began)
    if (status !== 200) failed.push(`${path} ${status} ${JSON.stringify(body)}`)
    await Bun.sleep(15)
  }
})()

const attack = (slug: string, name: string, as = owner.token, where = base) =>
  call('GET', `${where}/${slug}/fees?stateCode=${name}`, { as })
/** What it says it reached. */
const findings = async (slug: string, name: string) => {
  const { status, body } = await attack(slug, name)
  return status === 200 ? JSON.parse(body.data[0].stateCode) : `${status} ${body.error?.message}`
}
/** Started again after what was done to it. */
const healed = (slug: string) => until(async () => (await attack(slug, 'fine')).status === 200)

describe('what it could read or reach', () => {
  for (const name of ['files', 'imports', 'workers', 'environment', 'processes'])
    test(`no way leads to ${name}`, async () => expect(await findings('reader', name)).toEqual([]))

  for (const name of ['gateway', 'sockets'])
    test(`no way leads out by ${name}`, async () => {
      expect(await findings('caller', name)).toEqual([])
      await Bun.sleep(50)
      expect(reached).toEqual([])
    })

  test('a file that it names when it is bundled is not taken in, a macro is not run', async () => {
    const { rejected } = await ok('GET', '/v1/adapters', { as: admin.token })
    const reason = (name: string) => rejected.find(({ folder }: { folder: string }) => folder.endsWith(`/${name}`))?.reason
    expect(reason('literal')).toMatch(/outside of its folder/)
    expect(reason('macro')).toMatch(/macros cannot be run/)
    expect(existsSync(macroCanary)).toBe(false)
    expect(existsSync(`${secretFile}.written`)).toBe(false)
  })
})

describe('what it could use up', () => {
  for (const name of [
    'loop',
    'microtasks',
    'pattern',
    'objects',
    'buffers',
    'shared',
    'strings',
    'stdout',
    'streamed',
    'stderr',
    'exit',
    'abort',
    'huge',
    'waits',
    'flags',
    'denseLogs',
  ])
    test(`${name}: it alone fails, and is there again`, async () => {
      const { status, body } = await attack('spender', name)
      expect([status, body.error?.code]).toEqual([502, 'carrier_error'])
      await healed('spender')
    })

  test('what goes on after its answer is halted, and ended where the next call finds it', async () => {
    expect((await attack('spender', 'later')).status).toBe(200)
    expect((await attack('spender', 'pause')).status).toBe(502)
    await healed('spender')
  })
  for (const name of ['longLogs', 'key'])
    test(`${name}: harms nobody`, byTheClock, async () => {
      await healed('spender')
      expect((await attack('spender', name)).status).toBe(200)
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    })

  for (const name of ['notes', 'bigNote', 'headers'])
    test(`${name}: what is too large is refused`, async () => expect((await attack('spender', name)).status).toBe(502))

  test('a flood of log lines and calls is thinned out, not passed on', async () => {
    expect((await attack('spender', 'logs')).status).toBeOneOf([200, 502])
    await healed('spender')
    expect((await attack('spender', 'fetches')).status).toBeOneOf([200, 502])
    expect(mostAtOnce).toBeGreaterThan(1)
    expect(mostAtOnce).toBeLessThanOrEqual(64)
  })
})

describe('what it could say', () => {
  const refused = [
    'nothing',
    'null',
    'text',
    'number',
    'truth',
    'object',
    'rows',
    'half',
    'negative',
    'written',
    'endless',
    'nul',
    'many',
    'deep',
    'proto',
  ]
  for (const name of refused)
    test(`a wrong shape (${name}) is not believed`, async () => {
      const { status, body } = await attack('liar', name)
      expect([status, body.error?.code]).toEqual([502, 'carrier_error'])
    })
  const thrown = ['Null', 'Nothing', 'Text', 'Symbol', 'Getter', 'Proxy', 'Huge', 'Reason'].map((name) => `throws${name}`)
  for (const name of [...thrown, 'cyclic', 'bigint', 'toJson'])
    test(`${name} is a failure like any other`, async () => {
      const { status, body } = await attack('liar', name)
      expect([status, body.error?.code]).toEqual([502, 'carrier_error'])
      expect(JSON.stringify(body).length).toBeLessThan(2000)
    })
  test('what it may say is heard, without what it may not', async () => {
    const refusal = await attack('liar', 'throwsRefusal')
    expect([refusal.status, refusal.body.error.message]).toEqual([422, 'It says no.'])
    expect((await attack('liar', 'throwsDeep')).status).toBe(422)
    expect((await attack('liar', 'throwsLimit')).status).toBe(429)
  })
  for (const name of ['Result', 'Own', 'Type', 'Ready', 'Fetch', 'Length', 'Json', 'Null'].map((name) => `forged${name}`).concat('garbage'))
    test(`${name} reaches nobody but itself`, async () => {
      expect((await attack('liar', name)).status).toBeOneOf([200, 502])
      await healed('liar')
      expect((await call('GET', `${base}/atlas/fees`, { as: owner.token })).body.data[0].home).toBe(42)
    })
  test('other members are held to their shapes as well', async () => {
    const tested = await ok('POST', `${base}/liar/testConnection`, { as: owner.token })
    expect(tested.data.ok).toBe(false)
    for (const [method, path, body] of [
      ['POST', 'labelIndividual', { tracking: 'x' }],
      ['GET', 'parcels/x', undefined],
      ['POST', 'setupWebhook', undefined],
    ] as const) {
      const answer = await call(method, `${base}/liar/${path}`, { as: owner.token, ...(body && { body }) })
      expect([path, answer.status, answer.body.error?.code]).toEqual([path, 502, 'carrier_error'])
    }
    for (const query of ['?challenge', '']) expect((await call('POST', `${base}/liar/webhook${query}`, { raw: '{}' })).status).toBe(502)
    const { data } = await ok('GET', `${base}/liar`, { as: owner.token })
    expect(data.credentials).toEqual({ token: '••••tore' })
  })
  test('what it does to the language stays with it', async () => {
    expect((await attack('polluter', 'x')).status).toBeOneOf([422, 502, 404])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect([1].map((one) => one + 1)).toEqual([2])
  })
})

describe('what it could learn of another store', () => {
  test('nothing: each connection has a process and notes of its own', async () => {
    const [one, two] = [await shop(), await shop()]
    const at = (store: typeof one) => `/v1/stores/${store.storeId}/integrations`
    const say = async (store: typeof one, name: string) =>
      JSON.parse((await attack('spy', name, store.owner.token, at(store))).body.data[0].stateCode)
    const link = async (store: typeof one, token: string) =>
      (await ok('PUT', `${at(store)}/spy`, { as: store.owner.token, body: { enabled: true, credentials: { token } } })).data.id as string
    const first = await link(one, 'the secret of one')
    await link(two, first)
    expect(await say(one, 'leave')).toBe('left')
    for (const name of ['look', 'another', 'stale']) expect([name, await say(two, name)]).toEqual([name, []])
    expect(await say(one, 'stale')).toEqual([])
    expect(await say(one, 'changed')).toEqual([])
    expect(await say(one, 'read')).toBe('the secret of one'.length)
  })
})

test('all the while ordinary requests were answered, and in time', async () => {
  asking = false
  await ordinary
  expect(failed).toEqual([])
  times.sort((a, b) => a - b)
  expect(times.length).toBeGreaterThan(500)
  expect(times[Math.floor(times.length * 0.99)]!).toBeLessThan(500)
  expect(times.at(-1)!).toBeLessThan(3_000)
  expect(reached).toEqual([])
  expect(context.plugins.rejected().map(({ folder }) => folder.split('/').at(-1))).toContain('looper')
})
