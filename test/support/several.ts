import { join } from 'node:path'
import { connectPool, type Sql } from '../../core/data/sql.ts'
import { freshDatabase, redisOfItsOwn } from './database.ts'
import { withBundles } from './first-start.ts'
import { freePort } from './process.ts'
import { scratchFolder } from './scratch.ts'

const ROOT = join(import.meta.dir, '../..')

/** One of several processes behind one port. */
export interface Sibling {
  /** Under which it stands in the database. */
  readonly number: number
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void
  readonly exited: Promise<number>
}

/** Processes of one server: one database, one port, one key. They need a database that several can reach. */
export async function severalOn(environment: Record<string, string> = {}) {
  const connection = await freshDatabase()
  if (!('url' in connection)) throw new Error('Several processes need a database of their own.')
  const port = await freePort()
  const env = {
    ...process.env,
    ...redisOfItsOwn(),
    DATABASE_URL: connection.url,
    DATABASE_POOL: '8',
    PORT: String(port),
    REUSE_PORT: 'true',
    DRAIN_SECONDS: '0.3',
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    RATE_LIMIT_PER_MINUTE: '1000000',
    PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000',
    LOG_LEVEL: 'info',
    ...environment,
  }
  const sql = connectPool(connection, 2)
  const all: Bun.Subprocess[] = []

  async function start(): Promise<Sibling> {
    const child = Bun.spawn([process.execPath, 'core/main.ts', 'serve'], {
      cwd: ROOT,
      env: { ...env, DATA_DIR: await withBundles(join(await scratchFolder(), 'data')) },
      stdout: 'pipe',
      stderr: 'inherit',
    })
    all.push(child)
    const before = await numbersOf(sql)
    await said(child.stdout, 'Serai listens')
    const number = (await numbersOf(sql)).find((each) => !before.includes(each))
    if (number === undefined) throw new Error('A process that listens does not stand in the database.')
    return { number, exited: child.exited, signal: (name) => child.kill(name) }
  }

  return {
    url: `http://127.0.0.1:${port}`,
    sql,
    start,
    async end() {
      for (const child of all) {
        child.kill('SIGCONT')
        child.kill('SIGKILL')
        await child.exited
      }
      await sql.end()
    },
  }
}

const numbersOf = async (sql: Sql) => {
  const [{ known }] = (await sql`select to_regclass('processes') is not null as known`) as unknown as [{ known: boolean }]
  return known ? (await sql<{ number: number }[]>`select number from processes order by number`).map(({ number }) => number) : []
}

/** Reads on until it was said; what comes after is read as well, so that nobody waits for who reads. */
async function said(stream: ReadableStream<Uint8Array>, words: string) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; !text.includes(words); ) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`A process ended before it said "${words}": ${text}`)
    text += value
  }
  void (async () => {
    while (!(await reader.read()).done);
  })()
}
