import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { adapterSettings } from '../../core/adapter-settings.ts'
import { readConfig } from '../../core/config.ts'
import { runAdapterCommand } from '../../plugins/host/commands/main.ts'
import { scratchFolder } from '../support/scratch.ts'
import { often } from '../support/thorough.ts'
import { atlas, put } from './atlas.ts'

const PACKAGE = 'serai-carrier-atlas'
const dataDir = await scratchFolder()
const shelf = await scratchFolder()
const missing = join(shelf, 'not', 'there')
const main = join(import.meta.dir, '../../core/main.ts')

/** A registry with one package, as a registry answers. */
const folder = await scratchFolder()
await put(join(folder, 'package'), {
  'package.json': JSON.stringify({ name: PACKAGE, version: '1.2.0', scripts: { postinstall: `touch ${folder}/ran` } }),
  'index.ts': atlas(),
})
await Bun.$`tar czf atlas.tgz package`.cwd(folder).quiet()
const tarball = await readFile(join(folder, 'atlas.tgz'))
const registry = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname, origin } = new URL(request.url)
    if (pathname === '/atlas.tgz') return new Response(tarball)
    if (pathname !== `/${PACKAGE}`) return new Response('{"error":"not found"}', { status: 404 })
    const integrity = `sha512-${new Bun.CryptoHasher('sha512').update(tarball).digest('base64')}`
    const version = { name: PACKAGE, version: '1.2.0', dist: { tarball: `${origin}/atlas.tgz`, integrity } }
    return Response.json({ name: PACKAGE, 'dist-tags': { latest: '1.2.0' }, versions: { '1.2.0': version } })
  },
})
afterAll(() => registry.stop(true))

const env = {
  ...process.env,
  DATA_DIR: dataDir,
  ADAPTER_DIRS: `${shelf}:${missing}`,
  ADAPTER_APPROVAL: 'ask',
  ADAPTER_ISOLATION: 'third-party',
  NPM_CONFIG_REGISTRY: registry.url.href,
  BUN_INSTALL_CACHE_DIR: join(folder, 'cache'),
}

async function serai(...given: string[]) {
  const child = Bun.spawn([process.execPath, main, 'adapter', ...given], { env, stderr: 'pipe' })
  const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  return { code: await child.exited, said }
}

/** The same in this process, which is faster. A command that throws fails with its message, as `main.ts` has it. */
async function told(...given: string[]) {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const { shelf, options } = adapterSettings(readConfig(env))
  const code = await runAdapterCommand(given, shelf, options, { say, complain: say }).catch((error: Error) => {
    say(error.message)
    return 1
  })
  return { code, said: lines.join('\n') }
}
const ask = often({ quick: told, thorough: serai })

test('a package is added without running its scripts, says what it asks for, waits, is approved, and removed', async () => {
  const added = await serai('add', PACKAGE)
  expect(added).toMatchObject({ code: 0, said: expect.stringContaining('api.atlas.example') })
  expect(existsSync(join(folder, 'ran'))).toBe(false)
  expect((await serai('list')).said).toMatch(/atlas +waits: new/)
  expect((await serai('approve', 'atlas')).code).toBe(0)
  const listed = (await serai('list')).said
  expect(listed).toMatch(/atlas +serves +own process/)
  // What is not ours stands before all that is.
  expect(listed.split('\n')[1]).toStartWith('atlas ')
  expect((await serai('remove', 'atlas')).code).toBe(0)
  const { said } = await serai('list')
  expect(said).not.toContain('atlas ')
  // A folder to look in that is not there is told; the one for what is added by command is our affair.
  expect(said.match(/no such folder.*/g)).toEqual([expect.stringContaining(missing)])
  expect(await serai('add', 'serai-carrier-nobody')).toMatchObject({ code: 1, said: expect.stringContaining('could not be fetched') })
}, 120_000)

test('each command says what it takes, and what is asked wrongly is told without a stack', async () => {
  for (const name of ['list', 'inspect', 'approve', 'add', 'remove', 'accept', 'dev', 'new'])
    for (const given of [
      [name, '--help'],
      [name, 'x', '-h'],
      ['help', name],
    ])
      expect(await told(...given)).toMatchObject({ code: 0, said: expect.stringContaining(`Usage: serai adapter ${name}`) })
  for (const given of [['--help'], ['help'], ['help', 'nobody']]) expect(await told(...given)).toMatchObject({ code: 0 })
  expect(await serai('list', '--help')).toEqual(await told('list', '--help').then(({ code, said }) => ({ code, said: `${said}\n` })))
  const wrong: [given: string[], code: number, said: RegExp][] = [
    [[], 2, /Usage/],
    [['adopt'], 2, /Unknown command "adapter adopt"/],
    [['constructor'], 2, /Unknown command "adapter constructor"/],
    [['approve', 'atlas', '--force'], 2, /Unknown option "--force"/],
    [['list', 'atlas'], 2, /Usage: serai adapter list/],
    [['add', '/dev/null'], 1, /has no index.ts/],
    [['add', 'Not A Package'], 1, /neither a folder nor the name of a package/],
    [['inspect', '/dev/null'], 1, /There is no adapter/],
    [['remove', 'yalidine'], 1, /ENABLED_ADAPTERS/],
  ]
  for (const [given, code, said] of wrong) {
    const answered = await ask(...given)
    expect([given, answered]).toEqual([given, { code, said: expect.stringMatching(said) }])
    expect(answered.said).not.toMatch(/\n\s+at /)
  }
}, 120_000)

test('a broken folder is not added, what was added before stays, and nothing it says reaches the terminal as a command', async () => {
  const source = join(await scratchFolder(), '.hidden')
  await put(source, { 'index.ts': atlas({ slug: 'kept', price: 1 }) })
  expect((await ask('add', source)).code).toBe(0)
  await put(source, { 'index.ts': `throw new Error('\u001b[2Jno')` })
  const broken = await ask('add', source)
  expect([broken.code, broken.said]).toEqual([1, expect.stringContaining('[2Jno')])
  expect(broken.said).not.toContain('\u001b')
  expect((await ask('list')).said).toMatch(/kept +waits: new/)
  await put(source, { 'index.ts': atlas({ slug: 'yalidine' }) })
  expect(await ask('add', source)).toMatchObject({ code: 0 })
  expect(await ask('approve', join(dataDir, 'adapters/installed/hidden'))).toMatchObject({ code: 1 })
}, 120_000)

test('a new adapter passes its own acceptance suite, and one that is broken is told case by case', async () => {
  const written = await serai('new', 'jasmin-express', shelf)
  expect(written).toMatchObject({ code: 0, said: expect.stringContaining('adapter dev') })
  const home = join(shelf, 'jasmin-express')
  expect(await readFile(join(home, 'index.ts'), 'utf8')).toContain("slug: 'jasmin-express'")
  const accepted = await serai('accept', home)
  expect(accepted).toMatchObject({ code: 0, said: expect.stringMatching(/✓ a parcel is sent[\s\S]*\d{2} passed, 0 failed[\s\S]*✓ types/) })
  // What does not exist where it runs is an error where it is written.
  const webhook = join(home, 'webhook.ts')
  const wrote = await readFile(webhook, 'utf8')
  const absent = ['Buffer', 'fetch', 'process', 'Bun']
  await writeFile(webhook, `${wrote}\nexport const wrong = () => [${absent}]\n`)
  const statuses = join(home, 'statuses.ts')
  await writeFile(statuses, (await readFile(statuses, 'utf8')).replace("returned: 'returned'", "returned: 'on_hold'"))
  const broken = await serai('accept', home)
  expect(broken.code).toBe(1)
  expect(broken.said).toContain('✗ a parcel can be followed to its end')
  for (const name of absent) expect(broken.said).toMatch(new RegExp(`✗ types .*Cannot find name '${name}'`))
  expect(await ask('new', 'jasmin-express', shelf)).toMatchObject({ code: 1, said: expect.stringContaining('already exists') })
  expect(await ask('new', 'No Slug', shelf)).toMatchObject({ code: 1, said: expect.stringContaining('lower-case letters') })
  expect((await ask('accept', shelf)).code).toBe(1)
  const refused: Record<string, RegExp> = { webhooks: /not be a reserved word/, yalidine: /is the slug of .*adapters\/carrier\/yalidine/ }
  for (const [slug, why] of Object.entries(refused))
    expect(await ask('new', slug, await scratchFolder())).toMatchObject({ code: 1, said: expect.stringMatching(why) })
  expect((await ask('new', 'a--b-', shelf)).code).toBe(0)
  expect(await ask('new', 'fine', '/dev/null')).toMatchObject({ code: 1, said: expect.stringContaining('Name a folder') })
}, 120_000)

test('what an adapter threw, printed and logged is told with its place, and one cause once', async () => {
  expect((await serai('new', 'talking', shelf)).code).toBe(0)
  const home = join(shelf, 'talking')
  const index = join(home, 'index.ts')
  const text = await readFile(index, 'utf8')
  const broken = text.replace(
    'async function list(',
    "function told(context: Context) {\n  console.log('printed')\n  context.log('logged', { at: 1 })\n  throw new TypeError('broken')\n}\n\nasync function list(",
  )
  const talking = broken
    .replace(
      '    const found = await list(context, { reference })',
      '    told(context)\n    const found = await list(context, { reference })',
    )
    .replace("    return sentIn(await call(context, 'POST'", "    told(context)\n    return sentIn(await call(context, 'POST'")
  await writeFile(index, talking)
  const { code, said } = await serai('accept', home)
  expect(code).toBe(1)
  const line = talking.split('\n').findIndex((one) => one.includes("TypeError('broken')")) + 1
  expect(said).toMatch(new RegExp(`\\d+× send threw TypeError: broken \\(index\\.ts:${line}:\\d+\\)`))
  expect(said).toMatch(/\d+× send logged: printed/)
  expect(said).toMatch(/\d+× send logged: logged \{"at":1\}/)
  expect(said.match(/TypeError: broken/g)!.length).toBeLessThan(6)
  expect(said).toContain('and, for the same reason: ')
}, 120_000)

test('adapter dev runs the suite at every change and says how long it took', async () => {
  const home = join(shelf, 'watched')
  expect((await serai('new', 'watched', shelf)).code).toBe(0)
  const child = Bun.spawn([process.execPath, main, 'adapter', 'dev', home], {
    env: { ...process.env, DATA_DIR: dataDir, ADAPTER_DIRS: shelf },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let said = ''
  const reading = (async () => {
    for await (const chunk of child.stdout) said += new TextDecoder().decode(chunk)
  })()
  const until = async (pattern: RegExp) => {
    for (const end = Date.now() + 60_000; !pattern.test(said); await Bun.sleep(20))
      if (Date.now() > end) throw new Error(`it did not say ${pattern}: ${said}`)
  }
  await until(/0 failed[\s\S]*── \d+ ms/)
  said = ''
  const statuses = join(home, 'statuses.ts')
  const good = await readFile(statuses, 'utf8')
  await writeFile(statuses, good.replace("returned: 'returned'", "returned: 'on_hold'"))
  await until(/✗ a parcel can be followed[\s\S]*── \d+ ms/)
  said = ''
  await writeFile(statuses, good)
  await until(/0 failed[\s\S]*── \d+ ms/)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  await reading
}, 120_000)
