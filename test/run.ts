import { createClient } from 'redis'
import { connect } from '../core/data/sql.ts'

/**
 * Runs every test on the embedded database with no service running, and then those that ask a database again on an external PostgreSQL and
 * Redis, where there are some: TEST_DATABASE_URL and TEST_REDIS_URL, else the usual ports of this machine; and those of adapters again with
 * every adapter in a process of its own. Tests of faults wait much and compute little: they run beside the others.
 */
const DATABASE_URL = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'
const TIMEOUT_MS = '20000'

const files = [...new Bun.Glob('test/**/*.test.ts').scanSync()].sort()
const of = (pattern: RegExp) => files.filter((path) => pattern.test(path))
const without = (paths: readonly string[], pattern: RegExp) => paths.filter((path) => !pattern.test(path))

const faults = of(/^test\/faults\//)
const others = without(files, /^test\/faults\//)
/** Of the core, what never asks a database or Redis is tested once. */
const ASK_NOBODY = /\/(geo|outbound|phone|gateway|cash-sheet|labels-print)\.test\.ts$/
const askServices = without(of(/^test\/(core\/|interface\/credentials)/), ASK_NOBODY)
/** What our own adapters must do as well where they run as those from elsewhere do. */
const ofAdapters = of(/^test\/(adapters\/carrier|core\/main-job|core\/integrations)\.test\.ts$/)

const { TEST_DATABASE_URL: _d, TEST_REDIS_URL: _r, ...bare } = process.env
const services = {
  ...bare,
  TEST_DATABASE_URL: DATABASE_URL,
  TEST_REDIS_URL: REDIS_URL,
  // All are sent on the embedded database; here it is the services that differ.
  EXACTLY_ONCE_ORDERS: bare.EXACTLY_ONCE_ORDERS ?? '200',
}

interface Stage {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly code: number
  /** What was said of each test that failed. */
  readonly failures: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

/** Runs tests in a process of their own. `held`: what they say is said when they are done, since others run beside them. */
async function stage(name: string, paths: readonly string[], env: Environment, { held = false } = {}): Promise<Stage> {
  if (!held) console.log(`\n── ${name}`)
  const child = Bun.spawn([process.execPath, 'test', '--timeout', TIMEOUT_MS, ...paths], {
    env: { ...env },
    stdout: held ? 'ignore' : 'inherit',
    stderr: 'pipe',
  })
  let said = ''
  const decoder = new TextDecoder()
  for await (const chunk of child.stderr) {
    if (!held) process.stderr.write(chunk)
    said = (said + decoder.decode(chunk, { stream: true })).slice(-2_000_000)
  }
  const code = await child.exited
  if (held) console.log(`\n── ${name}\n${said}`)
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(said)?.[1] ?? 0)
  return { name, passed: count('pass'), failed: count('fail'), skipped: count('skip'), code, failures: failuresIn(said) }
}

const FAILURE_LINES = 40

/** Each `(fail)` line with what was said before it, since the result of the test before; not the runner's own list at its end. */
function failuresIn(said: string): string[] {
  const found: string[] = []
  let before: string[] = []
  for (const line of said.split('\n')) {
    if (/^\d+ tests? failed:$/.test(line)) break
    before.push(line)
    if (line.startsWith('(fail)') && before.length > 1) found.push(before.slice(-FAILURE_LINES).join('\n'))
    if (/^\((pass|fail|skip|todo)\)/.test(line)) before = []
  }
  return found
}

/** Null where both services answer, else which does not. */
async function missingService(): Promise<string | null> {
  const holds = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    )
  const sql = connect({ url: DATABASE_URL }, 1)
  const database = await Promise.race([holds(sql`select 1`), Bun.sleep(3_000).then(() => false)])
  await sql.end({ timeout: 1 })
  if (!database) return `no PostgreSQL answers at ${DATABASE_URL}`
  const client = createClient({ url: REDIS_URL, socket: { reconnectStrategy: false, connectTimeout: 3_000 } }).on('error', () => {})
  const redis = await holds(client.connect().then(() => client.ping()))
  if (redis) await client.close()
  return redis ? null : `no Redis answers at ${REDIS_URL}`
}

/** What the suite has just found true: every platform with what it does, and its cases. */
async function acceptanceTable(): Promise<string> {
  const page = await Bun.file(`${import.meta.dir}/../adapters/carrier/README.md`).text()
  return page.slice(page.indexOf('| platform'), page.indexOf('\n\n', page.indexOf('| platform')))
}

async function runNamed(named: readonly string[], missing: string | null): Promise<Stage[]> {
  const stages = [await stage('embedded database, no service', named, bare)]
  return missing === null ? [...stages, await stage('external PostgreSQL and Redis', named, services)] : stages
}

async function runAll(missing: string | null): Promise<Stage[]> {
  const embedded = await Promise.all([
    stage('embedded database, no service', others, bare),
    stage('embedded database: faults', faults, bare, { held: true }),
  ])
  const again = await Promise.all([
    ...(missing === null
      ? [
          stage('external PostgreSQL and Redis', askServices, services),
          stage('external PostgreSQL and Redis: faults', faults, services, { held: true }),
        ]
      : []),
    stage('every adapter in a process of its own', ofAdapters, { ...bare, ADAPTER_ISOLATION: 'all' }, { held: true }),
  ])
  console.log(`\n${await acceptanceTable()}`)
  return [...embedded, ...again]
}

const began = performance.now()
const named = process.argv.slice(2)
const missing = await missingService()
const stages = named.length > 0 ? await runNamed(named, missing) : await runAll(missing)

// Once more at the end, where somebody who reads a long log looks.
for (const { name, failures } of stages) for (const failure of failures) console.log(`\n── failed: ${name}\n${failure}`)
console.log('')
for (const { name, passed, failed, skipped } of stages) console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`)
console.log(`in ${Math.round((performance.now() - began) / 1000)} s`)
if (missing !== null) console.log(`!! NOT RUN on external services: ${missing}. Set TEST_DATABASE_URL and TEST_REDIS_URL.`)
const required = missing !== null && process.env.REQUIRE_SERVICES === 'true'
if (required) console.log('The external services are meant to be here: this run failed.')
const sum = (what: (stage: Stage) => number) => stages.reduce((total, each) => total + what(each), 0)
const failures = sum(({ failed }) => failed) + (required ? 1 : 0)
console.log(`${sum(({ passed }) => passed)} passed, ${failures} failed, ${sum(({ skipped }) => skipped)} skipped`)
process.exit(stages.some(({ code }) => code !== 0) || required ? 1 : 0)
