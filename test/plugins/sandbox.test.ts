import { afterAll, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { carrier as kind } from '../../plugins/carrier/kind.ts'
import { bundleAdapter } from '../../plugins/host/bundle.ts'
import { openRegistry } from '../../plugins/host/registry.ts'
import { findDeno, prepareLaunch } from '../../plugins/host/sandbox/deno.ts'
import { openSandbox, type SandboxOptions } from '../../plugins/host/sandbox/sandbox.ts'
import { isAdapterOfKind } from '../../plugins/kind.ts'
import { byTheClock } from '../support/clock.ts'
import { scratchFolder } from '../support/scratch.ts'
import { until } from '../support/until.ts'
import { atlas, contextOf, put } from './atlas.ts'

const folder = await scratchFolder()
const said: string[] = []
const open = (options: Partial<SandboxOptions> = {}) => {
  const sandbox = openSandbox({ folder, processes: 10, memoryMb: 64, report: (_, words) => void said.push(words), ...options })
  afterAll(() => sandbox.close())
  return sandbox
}

let made = 0
/** The carrier of an adapter that is written here. */
async function carrierOf(sandbox: ReturnType<typeof open>, members: string, extra = '') {
  const at = join(folder, `adapter${++made}`)
  await put(at, { 'index.ts': atlas({ members, extra }) })
  const bundle = await bundleAdapter(at, { within: true })
  const [carrier] = sandbox.adapters(bundle, await sandbox.inspect(bundle)).filter((adapter) => isAdapterOfKind(kind, adapter))
  return carrier!
}

const alive = (pid: number) => existsSync(`/proc/${pid}`)

test('a context is whole on the other side: fetch, bytes, storage, clock, log, signal; and so are the tools of the web', async () => {
  const logged: string[] = []
  const carrier = await carrierOf(
    open(),
    `async serviceFees({ fetch, storage, now, log, signal, storeId, connectionId, credentials }) {
      const answer = await fetch('https://x.example/y', { method: 'POST', body: new Uint8Array([0, 255, 7]) })
      const tools = {
        bytes: [...new Uint8Array(await answer.arrayBuffer())].join(), status: answer.status, add: await storage.add('k', 1), get: typeof (await storage.get('k')),
        now: Math.abs(now() - 1_700_000_000_000) < 1000, aborted: signal.aborted, ids: [storeId, connectionId, credentials.token].join(),
        timer: await new Promise((resolve) => setTimeout(() => resolve('rang'), 5)), digest: (await crypto.subtle.digest('SHA-256', new Uint8Array(1))).byteLength,
        form: await new Response(new URLSearchParams({ a: 'é' })).text(), clone: structuredClone(new Map([[1, 2]])).get(1),
        gzip: (await new Response(new Blob(['x']).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()).byteLength > 10,
        latin: new TextDecoder('windows-1252').decode(new Uint8Array([233])), any: AbortSignal.any([AbortSignal.abort()]).aborted,
        gone: [typeof Deno, typeof process, typeof fetch === typeof globalThis.fetch, typeof Worker, typeof WebSocket, typeof navigator, typeof WebAssembly].join(),
      }
      console.log('printed')
      log(JSON.stringify(tools))
      return []
    }`,
  )
  await carrier.serviceFees!(contextOf('whole', undefined, logged))
  expect(logged[0]).toBe('printed')
  expect(JSON.parse(logged[1]!)).toEqual({
    bytes: '0,255,7',
    status: 207,
    add: true,
    get: 'undefined',
    now: true,
    aborted: false,
    ids: 'sto_test,whole,secret',
    timer: 'rang',
    digest: 32,
    form: 'a=%C3%A9',
    clone: 2,
    gzip: true,
    latin: 'é',
    any: true,
    gone: 'undefined,undefined,false,undefined,undefined,undefined,undefined',
  })
})

test('who asks its context for nonsense is told so, and goes on', async () => {
  const logged: string[] = []
  const carrier = await carrierOf(
    open(),
    `async serviceFees({ fetch, storage, log }) {
      const tries = [() => fetch('https://x.example', { method: 'BREW' }), () => fetch('https://x.example/' + 'y'.repeat(9000)), () => storage.get('k'.repeat(501)), () => storage.list('', { limit: 0 })]
      for (const go of tries) log(await go().then(() => 'done', (error) => error.message))
      log((await fetch('https://x.example', { headers: { count: 5 }, body: 'b' })).status + '', { long: 'x'.repeat(20_000) })
      return []
    }`,
  )
  await carrier.serviceFees!(contextOf('nonsense', undefined, logged))
  expect(logged.slice(0, 2).every((line) => line.startsWith('context.fetch does not take this'))).toBe(true)
  expect(logged.slice(2, 4).every((line) => line.startsWith('context.storage does not take this'))).toBe(true)
  expect(logged[4]).toBe('207')
})

test('without the binary our own adapters serve, and what has to be done for the others is said', async () => {
  const elsewhere = await scratchFolder()
  await put(join(elsewhere, 'atlas'), { 'index.ts': atlas() })
  const registry = await openRegistry(
    {
      own: [join(import.meta.dir, '../../adapters')],
      others: [elsewhere],
      enabled: ['sandbox', 'atlas'],
      isolation: 'third-party',
      approval: 'auto',
    },
    { folder: await scratchFolder(), processes: 1, memoryMb: 64, deno: () => undefined },
    { rejected() {}, pending() {}, process() {} },
  )
  expect(registry.of('carrier').map(({ carrier }) => carrier.slug)).toEqual(['sandbox'])
  expect(registry.rejected()[0]).toMatchObject({ folder: join(elsewhere, 'atlas'), reason: expect.stringContaining('run "bun install"') })
  await registry.close()
})

test('Deno itself refuses everything to code that came through the pipe, even with all of its globals there', async () => {
  const { command, environment, folder: cwd } = await prepareLaunch(join(folder, 'bare'), 64, findDeno())
  const program = join(folder, 'bare.js')
  await Bun.write(
    program,
    'const AsyncFunction = (async () => {}).constructor\nconst input = await new Response(Deno.stdin.readable).text()\nconsole.log(JSON.stringify(await new AsyncFunction(input)()))',
  )
  const secret = join(folder, 'secret.json')
  await Bun.write(secret, '{"secret":1}')
  let visits = 0
  const canary = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(`export default ${++visits}`) })
  const ways = [
    `Deno.readTextFile('${secret}')`,
    `import('node:fs').then((fs) => fs.readFileSync('${secret}', 'utf8'))`,
    `import('node:fs').then((fs) => fs.writeFileSync('${secret}.written', 'x'))`,
    ...['json', 'text'].map((type) => `import('${secret}', { with: { type: '${type}' } })`),
    `import('data:text/javascript,import x from "file://${secret}" with { type: "json" }; export default x')`,
    `import('http://127.0.0.1:${canary.port}/x.js')`,
    `fetch('http://127.0.0.1:${canary.port}/')`,
    `Deno.connect({ hostname: '127.0.0.1', port: ${canary.port} })`,
    `new Promise((resolve, reject) => { const w = new Worker('http://127.0.0.1:${canary.port}/x.js', { type: 'module' }); w.onerror = (e) => { e.preventDefault(); reject(e) }; w.onmessage = resolve })`,
    `new Promise((resolve, reject) => { const w = new Worker('data:text/javascript,import x from "file://${secret}" with { type: "json" }; postMessage(x)', { type: 'module' }); w.onerror = (e) => { e.preventDefault(); reject(e) }; w.onmessage = resolve })`,
    `Deno.resolveDns('example.com', 'A')`,
    `Deno.env.get('PATH')`,
    `Deno.env.get('HOME')`,
    `new Deno.Command('id').output()`,
    `import('node:child_process').then((cp) => cp.execSync('id'))`,
    `Deno.dlopen('libc.so.6', {})`,
    `Deno.hostname()`,
    `Deno.permissions.request({ name: 'read' }).then(({ state }) => { if (state !== 'granted') throw state })`,
  ]
  const code = `const reached = []\n${ways.map((way) => `try { await Promise.race([(async () => ${way})(), new Promise((_, no) => setTimeout(no, 300))]); reached.push(${JSON.stringify(way)}) } catch {}`).join('\n')}\nreturn reached`
  const child = Bun.spawn([...command.slice(0, -1), program], {
    cwd,
    env: { ...environment },
    stdin: new Blob([code]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual([])
  expect([visits, existsSync(`${secret}.written`)]).toEqual([0, false])
  await canary.stop(true)
})

test('one process for each connection, stopped when it is idle, and none after the end', async () => {
  const sandbox = open({ idleMs: 300 })
  const carrier = await carrierOf(sandbox, 'serviceFees: () => []')
  await Promise.all(['a', 'a', 'b'].map((connection) => carrier.serviceFees!(contextOf(connection))))
  expect(sandbox.pids()).toHaveLength(2)
  await until(() => sandbox.pids().length === 0)
  await carrier.serviceFees!(contextOf('a'))
  const [pid] = sandbox.pids()
  expect(alive(pid!)).toBe(true)
  await sandbox.close()
  expect(alive(pid!)).toBe(false)
  await expect(Promise.resolve(carrier.serviceFees!(contextOf('a')))).rejects.toThrow('stopping')
})

test('where processes are few the idlest makes room, and who finds none waits for one', async () => {
  const sandbox = open({ processes: 2 })
  const carrier = await carrierOf(sandbox, 'serviceFees: () => new Promise((resolve) => setTimeout(() => resolve([]), 100))')
  await Promise.all(Array.from({ length: 8 }, (_, at) => carrier.serviceFees!(contextOf(`c${at}`))))
  expect(sandbox.pids().length).toBeLessThanOrEqual(2)
})

test('an adapter whose calls never end holds no more than its share: others find room', async () => {
  const sandbox = open({ processes: 4 })
  const [hanging, ordinary] = [
    await carrierOf(sandbox, 'serviceFees: () => new Promise(() => {})'),
    await carrierOf(sandbox, 'serviceFees: () => []'),
  ]
  const given = new AbortController()
  const hung = Array.from({ length: 8 }, (_, at) =>
    Promise.resolve(hanging.serviceFees!(contextOf(`h${at}`, given.signal))).then(
      () => 'ended',
      (error: Error) => error.message,
    ),
  )
  await until(() => sandbox.pids().length === 3)
  expect(await ordinary.serviceFees!(contextOf('a'))).toEqual([])
  expect(sandbox.pids()).toHaveLength(4)
  given.abort()
  await sandbox.close()
  expect(await Promise.all(hung)).not.toContain('ended')
})

test('a call is told when its time is over; one that does not end is killed with its process, which comes back', async () => {
  const sandbox = open()
  const carrier = await carrierOf(
    sandbox,
    `serviceFees: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new CarrierError('unavailable', 'told')))),
     states: () => new Promise(() => {}), cities: () => [],`,
  )
  await carrier.cities!(contextOf('a'), {}) // it runs
  await expect(Promise.resolve(carrier.serviceFees!(contextOf('a', AbortSignal.timeout(50))))).rejects.toThrow('told')
  const [before] = sandbox.pids()
  await expect(Promise.resolve(carrier.states!(contextOf('a', AbortSignal.timeout(50))))).rejects.toThrow('did not end')
  await until(() => !alive(before!))
  await until(() =>
    Promise.resolve(carrier.cities!(contextOf('a'), {})).then(
      () => true,
      () => false,
    ),
  )
  expect(sandbox.pids()).not.toContain(before!)
})

const why = (asked: unknown) =>
  Promise.resolve(asked).then(
    () => 'answered',
    (error: Error) => error.message,
  )

test('a call that outlives its time takes no other with it: those go on, and new ones find another process', async () => {
  const sandbox = open()
  const carrier = await carrierOf(
    sandbox,
    `states: () => new Promise(() => {}), cities: () => [], serviceFees: () => new Promise((resolve) => setTimeout(() => resolve([]), 6_000)),
     centers: ({ fetch }) => { void (async () => { for (;;) await fetch('https://x.example').catch(() => {}) })(); return new Promise(() => {}) }`,
  )
  await carrier.cities!(contextOf('a'), {}) // it runs
  const slow = Promise.resolve(carrier.serviceFees!(contextOf('a')))
  const hung = [
    carrier.states!(contextOf('a', AbortSignal.timeout(50))),
    carrier.centers!(contextOf('a', AbortSignal.timeout(50)), {}),
  ].map(why)
  const [before] = sandbox.pids()
  const asked = new Set<string>()
  for (let times = 0; times < 40; times += 1) {
    asked.add(await why(carrier.cities!(contextOf('a'), {})))
    await Bun.sleep(50)
  }
  expect([...asked]).toEqual(['answered'])
  for (const one of hung) expect(await one).toContain('did not end')
  expect(sandbox.pids()).toHaveLength(2)
  expect(await slow).toEqual([])
  await until(() => sandbox.pids().length === 1)
  expect(sandbox.pids()).not.toContain(before!)
}, 120_000)

test('one that never pauses is ended soon after its time, since nobody there can go on', byTheClock, async () => {
  const carrier = await carrierOf(
    open(),
    `states: () => { for (;;); }, cities: () => [], serviceFees: () => new Promise((resolve) => setTimeout(() => resolve([]), 9_000))`,
  )
  await carrier.cities!(contextOf('a'), {}) // it runs
  const began = performance.now()
  const asked = [carrier.serviceFees!(contextOf('a')), carrier.states!(contextOf('a', AbortSignal.timeout(50)))].map(why)
  expect(await asked[1]).toContain('did not end')
  expect(await asked[0]).toContain('without a pause')
  expect(performance.now() - began).toBeLessThan(4_000)
})

test('who keeps dying is started again ever later, and a good call forgives', byTheClock, async () => {
  const sandbox = open()
  const carrier = await carrierOf(
    sandbox,
    'serviceFees: () => { for (const held = [];;) held.push(new Array(1e6).fill(1)) }, cities: () => []',
  )
  const fail = () =>
    Promise.resolve(carrier.serviceFees!(contextOf('a'))).then(
      () => '',
      (error: Error) => error.message,
    )
  expect(await fail()).toContain('process ended')
  const waits: number[] = []
  for (let times = 0; times < 3; times += 1) {
    const wait = Number(/in (\d+) ms/.exec(await fail())?.[1])
    waits.push(wait)
    await Bun.sleep(wait)
    expect(await fail()).toContain('process ended')
  }
  expect(waits.every((wait, at) => wait > 100 * 2 ** at * 0.5 && wait <= 100 * 2 ** at)).toBe(true)
  await Bun.sleep(800)
  expect(await carrier.cities!(contextOf('a'), {})).toEqual([])
  expect(await fail()).toContain('process ended')
  expect(Number(/in (\d+) ms/.exec(await fail())?.[1])).toBeLessThanOrEqual(100)
})

test('what it began and did not end stands still between its calls, and goes on with the next one', async () => {
  const sandbox = open()
  const carrier = await carrierOf(
    sandbox,
    `serviceFees: () => { setInterval(() => { rounds += 1; for (const end = Date.now() + 20; Date.now() < end;); }, 1); return [] },
     cities: async () => { const from = rounds; await new Promise((resolve) => setTimeout(resolve, 200)); if (rounds === from) throw new Error('halted'); return [] }`,
    'let rounds = 0',
  )
  await carrier.serviceFees!(contextOf('a'))
  const ticks = () =>
    readFileSync(`/proc/${sandbox.pids()[0]}/stat`, 'utf8')
      .split(' ')
      .slice(13, 15)
      .reduce((sum, one) => sum + Number(one), 0)
  await Bun.sleep(250)
  const before = ticks()
  await Bun.sleep(400)
  expect(ticks() - before).toBeLessThanOrEqual(1)
  expect(await carrier.cities!(contextOf('a'), {})).toEqual([])
})

const oversized = [
  ['too many values', `fees: () => Array.from({ length: 1_500_000 }, () => [])`],
  ['nested too deeply', `fees: () => JSON.parse('['.repeat(500) + ']'.repeat(500))`],
  ['more than 8388608 bytes', `fees: () => 'x'.repeat(9 * 1024 * 1024)`],
] as const

test.each(oversized)(
  'an answer of %s is read only as far as its member may answer, and no other process waits for it',
  byTheClock,
  async (problem, fees) => {
    const carrier = await carrierOf(open({ memoryMb: 512 }), fees)
    let longest = 0
    let last = performance.now()
    const watching = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 5)
    await expect(Promise.resolve(carrier.fees!(contextOf('a'), {}))).rejects.toThrow(problem)
    clearInterval(watching)
    // What held up the answer held up the watch as well.
    longest = Math.max(longest, performance.now() - last)
    expect(longest).toBeLessThan(1000)
  },
)

test('each member has a limit of its own, and answers something', async () => {
  const carrier = await carrierOf(open(), `testConnection: () => ({ account: 'x'.repeat(30_000) }), serviceFees: () => undefined`)
  await expect(Promise.resolve(carrier.testConnection(contextOf('a')))).rejects.toThrow('more than 24576 bytes of JSON')
  await expect(Promise.resolve(carrier.serviceFees!(contextOf('a')))).rejects.toThrow('wrong shape')
})

test('what is logged at length is left out, and the call goes on', async () => {
  const logged: [string, unknown][] = []
  const carrier = await carrierOf(
    open(),
    `serviceFees: ({ log }) => { const ring = {}; ring.ring = ring; log('ring', ring); log('long', { text: 'x'.repeat(5e6) }); log('short', { a: 1 }); return [] }`,
  )
  await carrier.serviceFees!({ ...contextOf('a'), log: (...line) => void logged.push(line as [string, unknown]) })
  const left = { fields: expect.stringContaining('left out') }
  expect(logged).toEqual([
    ['ring', left],
    ['long', left],
    ['short', { a: 1 }],
  ])
})

test('a definition is read once: what comes out otherwise each time stays what it was when it was shown', async () => {
  const at = join(folder, 'chameleon')
  await put(at, { 'index.ts': atlas().replace('["api.atlas.example"]', "['h' + crypto.randomUUID() + '.example.com']") })
  const bundle = await bundleAdapter(at, { within: true })
  const shown = await open().inspect(bundle)
  expect(await open().inspect(bundle)).toEqual(shown)
})

test('when the server is killed no process stays, not even one that never rests', async () => {
  const at = join(folder, 'restless')
  await put(at, { 'index.ts': atlas({ members: 'serviceFees: () => { for (;;); }, cities: () => []' }) })
  const program = join(folder, 'server.ts')
  const from = (file: string) => JSON.stringify(join(import.meta.dir, '../../plugins/host', file))
  await Bun.write(
    program,
    `import { openSandbox } from ${from('sandbox/sandbox.ts')}
import { bundleAdapter } from ${from('bundle.ts')}
const sandbox = openSandbox({ folder: ${JSON.stringify(join(folder, 'killed'))}, processes: 5, memoryMb: 64, report() {} })
const bundle = await bundleAdapter(${JSON.stringify(at)}, { within: true })
const [carrier] = sandbox.adapters(bundle, await sandbox.inspect(bundle))
const context = (connectionId) => ({ storeId: 's', connectionId, credentials: {}, settings: {}, now: Date.now, signal: AbortSignal.timeout(60000), log() {} })
await carrier.cities(context('quiet'), {})
await carrier.cities(context('busy'), {})
carrier.serviceFees(context('busy')).catch(() => {})
console.log(sandbox.pids().join(' '))`,
  )
  const server = Bun.spawn([process.execPath, program], { stdout: 'pipe' })
  const { value } = await server.stdout.getReader().read()
  const pids = new TextDecoder().decode(value).trim().split(' ').map(Number)
  expect(pids).toHaveLength(2)
  expect(pids.every(alive)).toBe(true)
  await Bun.sleep(200)
  server.kill('SIGKILL')
  await server.exited
  await until(() => !pids.some(alive), 3_000)
})
