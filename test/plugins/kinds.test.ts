import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventsIn, isProven } from '../../plugins/acceptance/webhooks.ts'
import { carrier } from '../../plugins/carrier/kind.ts'
import { definitionProblems } from '../../plugins/host/check.ts'
import { runAdapterCommand } from '../../plugins/host/commands/main.ts'
import { openRegistry } from '../../plugins/host/registry.ts'
import { openSandbox } from '../../plugins/host/sandbox/sandbox.ts'
import { isAdapterOfKind, type Kind, operationsOf } from '../../plugins/kind.ts'
import { kinds as ours } from '../../plugins/kinds.ts'
import { scratchFolder } from '../support/scratch.ts'
import { atlas, contextOf, put } from './atlas.ts'
import { message } from './message/kind.ts'

const kinds: readonly Kind[] = [carrier, message]
const folder = await scratchFolder()
const shelf = { own: [], others: [folder], enabled: [], isolation: 'third-party', approval: 'auto' } as const
const options = { folder: await scratchFolder(), processes: 6, memoryMb: 64, kinds }
const example = await readFile(join(import.meta.dir, 'message/template/index.ts'), 'utf8')
const pigeon = (change: readonly [from: string, to: string][] = []) =>
  [["slug: 'example'", "slug: 'pigeon'"], ...change].reduce((text, [from = '', to = '']) => text.replace(from, to), example)

async function serai(...given: string[]) {
  const said: string[] = []
  const tell = (line: string) => void said.push(line)
  const code = await runAdapterCommand(given, shelf, options, { say: tell, complain: tell })
  return { code, said: said.join('\n') }
}

test('adapters of two kinds are found beside each other, each as its kind has it; no two of them share a slug', async () => {
  await put(join(folder, 'carrier/atlas'), { 'index.ts': atlas() })
  await put(join(folder, 'message/pigeon'), { 'index.ts': pigeon() })
  await put(join(folder, 'message/impostor'), { 'index.ts': pigeon([["slug: 'pigeon'", "slug: 'atlas'"]]) })
  await put(join(folder, 'stranger'), { 'index.ts': "export default { kind: 'oracle', contract: 1 }" })
  const registry = await openRegistry(shelf, options, { rejected() {}, pending() {}, process() {} })
  afterAll(() => registry.close())
  expect(registry.all().map(({ kind, adapter }) => [kind.name, adapter.slug])).toEqual([
    ['carrier', 'atlas'],
    ['message', 'pigeon'],
  ])
  expect(registry.find('carrier', 'atlas')?.meaning('Done')).toEqual({ status: 'delivered' })
  expect(registry.find('carrier', 'pigeon')).toBeUndefined()
  expect(registry.named('pigeon')?.adapter.label).toBe('Example')
  expect(registry.rejected().map(({ reason }) => reason)).toEqual([
    'kind must be "carrier" or "message"',
    'another adapter has the slug "atlas"',
  ])
  const [only, ...others] = registry.of('carrier')
  expect([only?.carrier.slug, others]).toEqual(['atlas', []])
})

test('a definition is held against its own kind', () => {
  const fine = {
    kind: 'message',
    contract: 3,
    slug: 'pigeon',
    label: 'Pigeon',
    net: [],
    credentials: {},
    settings: {},
    rateWindows: [],
    lettersMax: 160,
    send() {},
  }
  const purse = { balance() {} }
  expect([definitionProblems(fine, kinds), definitionProblems({ ...fine, purse, branded: ['balance'] }, kinds)]).toEqual([[], []])
  const wrong: readonly [change: object, problem: string][] = [
    [{ contract: 1 }, 'was written for contract 1; this server speaks 3. Follow "Earlier contracts" in docs/write-an-adapter.md'],
    [{ send: undefined }, 'send is required'],
    [{ purse: {} }, 'purse.balance is required of purse'],
    [{ purse: { ...purse, colour: 'red' } }, 'purse/colour'],
    [{ webhook: {} }, 'webhook.receive is required of webhook'],
    [{ lettersMax: 0 }, 'lettersMax'],
    [{ lettersMax: 13 }, 'lettersMax brings bad luck'],
    [{ countries: ['DZ'] }, 'countries'],
    [{ branded: ['initiate'] }, 'branded names initiate'],
    [{ kind: 'carrier' }, 'was written for contract 3; this server speaks 2. Update the server'],
  ]
  for (const [change, problem] of wrong)
    expect([change, definitionProblems({ ...fine, ...change }, kinds).join()]).toEqual([change, expect.stringContaining(problem)])
  expect(definitionProblems(fine)).toEqual([
    'kind must be "carrier" or "payment" or "social" or "connector" or "spreadsheet" or "ads" or "model"',
  ])
})

test('its members are asked in a process, and answer as their schemas have it', async () => {
  const sandbox = openSandbox({ ...options, report: () => {} })
  afterAll(() => sandbox.close())
  const { bundleInProcess: bundleApart } = await import('../../plugins/host/bundle-in-process.ts')
  const adapterOf = async (name: string, change: readonly [string, string][] = []) => {
    const at = join(await scratchFolder(), name)
    await put(at, { 'index.ts': pigeon(change) })
    const bundle = await bundleApart(at, kinds)
    const [adapter] = sandbox.adapters(bundle, await sandbox.inspect(bundle))
    if (!adapter || !isAdapterOfKind(message, adapter)) throw new Error('it is no message adapter')
    return adapter
  }
  const good = await adapterOf('good')
  const written = { reference: 'm1', phone: '+213550000000', text: 'hello' }
  expect(await good.send(contextOf('a'), written)).toEqual({ id: 'a-m1', at: '2026-11-22T10:00:00Z' })
  expect(await good.deliveries?.(contextOf('a'), { state: 'failed' })).toMatchObject([{ state: 'failed' }])
  expect(await good.purse?.balance(contextOf('a'))).toEqual({ amount: 12.5 })
  const inbound = { method: 'GET', url: 'https://x.example/?id=7', headers: { 'x-secret': 'right' }, body: new Uint8Array() }
  expect(await isProven(good, inbound, contextOf('a'))).toBe(true)
  expect(await eventsIn(good, inbound, contextOf('a'))).toMatchObject([{ id: '7', state: 'delivered' }])
  expect(operationsOf(message, good)).toEqual(['deliveries', 'initiate', 'balance', 'arrived'])

  const bad = await adapterOf('bad', [
    ["const at = '2026-11-22T10:00:00Z'", "const at = 'yesterday'"],
    ['amount: 12.5', "amount: 'much'"],
  ])
  const why = (asked: unknown) => Promise.resolve(asked).then(String, (error: Error) => `${error.name}: ${error.message}`)
  expect(await why(bad.send(contextOf('b'), written))).toBe(
    'AdapterError: The adapter answered send in a wrong shape (at: is no time in ISO 8601 with a zone).',
  )
  expect(await why(bad.purse?.balance(contextOf('b')))).toContain('purse.balance in a wrong shape (/amount')
})

test('the commands write, try, show and list an adapter of any kind', async () => {
  const into = join(folder, 'message')
  expect(await serai('new', '--kind', 'message', 'owl', into)).toMatchObject({ code: 0, said: expect.stringContaining('adapter dev') })
  const home = join(into, 'owl')
  expect(await readFile(join(home, 'README.md'), 'utf8')).toStartWith('# Owl')
  expect(existsSync(join(home, 'tsconfig.rig.json'))).toBe(true)
  expect(await readFile(join(home, 'tsconfig.json'), 'utf8')).toContain('serai/message/acceptance')
  const { code, said } = await serai('accept', home)
  expect([code, said]).toEqual([0, expect.stringMatching(/✓ a message is sent[\s\S]*2 passed, 0 failed, 0 skipped/)])
  expect((await serai('inspect', 'owl')).said).toMatch(/Owl \(owl\), message, up to 160 letters[\s\S]*purse\.balance/)
  expect((await serai('list')).said).toMatch(/owl +serves +own process .* message /)
  expect(await serai('new', '--kind=oracle', 'delphi', into)).toMatchObject({
    code: 1,
    said: expect.stringContaining('There is no kind "oracle". There are: carrier, message.'),
  })
  expect(await serai('new', '--colour=red', 'owl')).toMatchObject({
    code: 2,
    said: expect.stringContaining('Unknown option "--colour=red"'),
  })
}, 120_000)

test('the host names no kind, neither in its imports nor in its words', async () => {
  const host = join(import.meta.dir, '../../plugins/host')
  const texts = await Promise.all(
    [...new Bun.Glob('**/*.ts').scanSync(host)].map(async (file) => ({ file, text: await readFile(join(host, file), 'utf8') })),
  )
  expect(texts.length).toBeGreaterThan(40)
  const named = ours.flatMap(({ name }) => texts.filter(({ text }) => new RegExp(`\\b${name}`, 'i').test(text)).map(({ file }) => file))
  expect(named).toEqual([])
})
