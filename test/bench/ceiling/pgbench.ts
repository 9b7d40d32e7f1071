import { join } from 'node:path'
import { Glob } from 'bun'
import { type Connection, connectionString, connectPool, type Sql } from '../../../core/data/sql.ts'

/** Connections at once, as many as the requests that are sent at once. */
export const CLIENTS = 8
const SCRIPTS = join(import.meta.dir, 'least')

/** Creates the tables of the scripts in a schema of their own. */
export async function createLeastSchema(sql: Sql): Promise<void> {
  await sql.unsafe(await Bun.file(join(import.meta.dir, 'schema.sql')).text())
}

/** Runs a script of `least/` again and again with {@link CLIENTS} connections. Returns how often a second. */
export function rateOfScript(connection: Connection, script: string, seconds: number): Promise<number> {
  const program = findPgbench()
  const file = join(SCRIPTS, `${script}.sql`)
  return program === null ? rateOfLoop(connection, file, seconds) : rateOfProgram(program, connection, file, seconds)
}

/** Path of pgbench; null where PostgreSQL's programs are not installed. */
export const findPgbench = () =>
  Bun.which('pgbench') ?? [...new Glob('/usr/lib/postgresql/*/bin/pgbench').scanSync({ absolute: true })].at(-1) ?? null

async function rateOfProgram(program: string, connection: Connection, file: string, seconds: number): Promise<number> {
  const options = ['-n', '-M', 'prepared', '-c', `${CLIENTS}`, '-j', '1', '-T', `${Math.max(1, Math.round(seconds))}`, '-f', file]
  const child = Bun.spawn([program, ...options, connectionString(connection)], { stdout: 'pipe', stderr: 'pipe' })
  const [printed, complaint] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const rate = /^tps = ([\d.]+)/m.exec(printed)?.[1]
  if ((await child.exited) !== 0 || rate === undefined) throw new Error(`pgbench failed: ${complaint}`)
  return Number(rate)
}

/** Does what pgbench does, over the driver of the server. Knows `\set name random(low, high)`. */
async function rateOfLoop(connection: Connection, file: string, seconds: number): Promise<number> {
  const text = await Bun.file(file).text()
  const variables = [...text.matchAll(/^\\set (\w+) random\((\d+), (\d+)\)$/gm)].map(([, name = '', low, high]) => ({
    name,
    low: Number(low),
    high: Number(high),
  }))
  const statements = text
    .replace(/^\\set.*$/gm, '')
    .split(';')
    .map((each) => each.trim())
    .filter(Boolean)
  const sql = connectPool(connection, CLIENTS)
  let runs = 0
  const ends = performance.now() + seconds * 1000
  const began = performance.now()
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const own = await sql.reserve()
      while (performance.now() < ends) {
        const values = variables.map(({ name, low, high }) => [name, low + Math.floor(Math.random() * (high - low + 1))] as const)
        for (const statement of statements)
          await own.unsafe(values.reduce((all, [name, value]) => all.replaceAll(`:${name}`, String(value)), statement))
        runs += 1
      }
      own.release()
    }),
  )
  await sql.end()
  return runs / ((performance.now() - began) / 1000)
}
