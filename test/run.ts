import { createClient } from 'redis'
import { connect } from '../core/data/sql.ts'

/**
 * Runs every test on the embedded database with no service running, and then those that touch a database again on an external PostgreSQL
 * and Redis, where there are some: TEST_DATABASE_URL and TEST_REDIS_URL, else the usual ports of this machine.
 */
const DATABASE_URL = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'
const TOUCH_A_DATABASE = ['test/core', 'test/plugins', 'test/faults', 'test/interface/credentials']
const TIMEOUT_MS = '20000'

const { TEST_DATABASE_URL: _d, TEST_REDIS_URL: _r, ...bare } = process.env
const named = process.argv.slice(2)

interface Stage {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly code: number
}

async function stage(name: string, paths: readonly string[], environment: Record<string, string | undefined>): Promise<Stage> {
  console.log(`\n── ${name}`)
  const child = Bun.spawn([process.execPath, 'test', '--timeout', TIMEOUT_MS, ...paths], {
    env: environment,
    stdout: 'inherit',
    stderr: 'pipe',
  })
  let said = ''
  const decoder = new TextDecoder()
  for await (const chunk of child.stderr) {
    process.stderr.write(chunk)
    said = (said + decoder.decode(chunk, { stream: true })).slice(-20_000)
  }
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(said)?.[1] ?? 0)
  return { name, passed: count('pass'), failed: count('fail'), skipped: count('skip'), code: await child.exited }
}

async function answers(): Promise<string | null> {
  const sql = connect({ url: DATABASE_URL }, 1)
  const database = await Promise.race([
    sql`select 1`.then(
      () => true,
      () => false,
    ),
    Bun.sleep(3_000).then(() => false),
  ])
  await sql.end({ timeout: 1 })
  if (!database) return `no PostgreSQL answers at ${DATABASE_URL}`
  const client = createClient({ url: REDIS_URL, socket: { reconnectStrategy: false, connectTimeout: 3_000 } }).on('error', () => {})
  const redis = await client
    .connect()
    .then(() => client.ping())
    .then(
      () => true,
      () => false,
    )
  if (redis) await client.close()
  return redis ? null : `no Redis answers at ${REDIS_URL}`
}

const began = performance.now()
const stages = [await stage('embedded database, no service', named, bare)]
const missing = await answers()
if (missing === null) {
  stages.push(
    await stage('external PostgreSQL and Redis', named.length > 0 ? named : TOUCH_A_DATABASE, {
      ...bare,
      TEST_DATABASE_URL: DATABASE_URL,
      TEST_REDIS_URL: REDIS_URL,
    }),
  )
} else {
  console.log(`\n!! NOT RUN on external services: ${missing}. Set TEST_DATABASE_URL and TEST_REDIS_URL.`)
}

const sum = (of: (stage: Stage) => number) => stages.reduce((total, each) => total + of(each), 0)
console.log('')
for (const { name, passed, failed, skipped } of stages) console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`)
console.log(`in ${Math.round((performance.now() - began) / 1000)} s`)
const required = missing !== null && process.env.REQUIRE_SERVICES === 'true'
if (required) console.log('The external services are meant to be here: this run failed.')
console.log(
  `${sum((each) => each.passed)} passed, ${sum((each) => each.failed) + (required ? 1 : 0)} failed, ${sum((each) => each.skipped)} skipped`,
)
process.exit(stages.some(({ code }) => code !== 0) || required ? 1 : 0)
