import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { connectPool, type Sql } from '../../../core/data/sql.ts'
import { closeEverything } from '../../support/at-end.ts'
import { inParallel, storefront } from '../../support/storefront.ts'
import { median } from '../figures.ts'
import { format, machine, milliseconds, type Row } from '../table.ts'
import { connectionOf, startSubject } from '../world.ts'
import { analyze, type Crowd, EVENTS_EACH, fill, inHaste, LINES_EACH, withoutIndexes } from './fill.ts'
import { type Asked, readings, sample, writings } from './readings.ts'

/** Parcels, each with its timeline and an operation. */
const FULL = 5_000_000
const SMALL = 10_000
/** A reading is asked of both in turns, so many at a time, so often. */
const TURNS = 30
const AT_A_TIME = 5
/** Until plans are made. */
const WARM = 25
/** As of a server that runs for a while: what leads to rows is at hand, most rows are not. */
const ASKED_BEFORE = 10_000
const AT_ONCE_BEFORE = 20
const GOAL = 1.3

/** A server and the database that it reads from. */
export interface Side {
  readonly crowd: Crowd
  readonly sql: Sql
  readonly ask: (asked: Asked) => Promise<number>
}

type Closers = (() => Promise<unknown>)[]

/** The middle of how long each reading takes, of each side. What else the machine does meanwhile meets both alike. */
export async function compare(sides: readonly Side[], only: (name: string) => boolean = () => true): Promise<Map<string, number[]>> {
  const paths = await Promise.all(sides.map(async ({ crowd, sql }) => ({ ...readings(crowd, await sample(sql, crowd)), ...writings })))
  const found = new Map<string, number[]>()
  const names = Object.keys(paths[0] ?? {}).filter(only)
  for (const [at, { ask, crowd }] of sides.entries())
    for (const name of names.filter((name) => !(name in writings)))
      await inParallel(Array(ASKED_BEFORE).fill(name), AT_ONCE_BEFORE, () =>
        ask(paths[at]![name]!(Math.floor(Math.random() * crowd.total))),
      )
  for (const name of names) {
    const times = sides.map((): number[] => [])
    for (let turn = 0; turn < TURNS; turn += 1)
      for (const [at, { ask, crowd }] of sides.entries()) {
        // Another row each time: what was just read is at hand.
        const asked = () => paths[at]![name]!(Math.floor(Math.random() * crowd.total))
        for (let n = 0; n < AT_A_TIME; n += 1) times[at]!.push(await ask(asked()))
      }
    found.set(
      name,
      times.map((of) => median(of.slice(WARM))),
    )
  }
  return found
}

/** Reads from and writes to tables with a few thousand rows and from large ones, and says how much longer the latter takes. `share`: of the full size. */
export async function measureLarge(share: number): Promise<void> {
  const closers: Closers = [closeEverything]
  try {
    const small = await open(closers, SMALL)
    const large = await open(closers, Math.max(2 * SMALL, Math.round(FULL * share)))
    await fill(small.sql, small.crowd)
    await analyze(small.sql)
    const began = performance.now()
    const { total } = large.crowd
    await inHaste(large.sql, large.restart, async () => {
      await withoutIndexes(large.sql, () => fill(large.sql, large.crowd))
      await analyze(large.sql)
    })
    const took = (performance.now() - began) / 1000
    console.log(
      `${total.toLocaleString('en')} parcels, ${(total * EVENTS_EACH).toLocaleString('en')} events and ${(total * LINES_EACH).toLocaleString('en')} movements were made in ${took.toFixed(0)} s.`,
    )
    console.log(`\n${tableOf(await compare([small, large]))}\n\n${machine()}`)
    console.log(`"ceiling": the same among ${SMALL.toLocaleString('en')} parcels, asked in turns with it.`)
  } finally {
    for (const close of closers.toReversed()) await close().catch((error) => console.error(error))
  }
}

export const tableOf = (found: ReadonlyMap<string, readonly number[]>) =>
  format([...found].map(([what, [smallMs = Number.NaN, ms = Number.NaN]]) => rowOf(what, ms, smallMs)))

const rowOf = (what: string, ms: number, smallMs: number): Row => ({
  what,
  ours: milliseconds(ms),
  ceiling: milliseconds(smallMs),
  ratio: ms / smallMs,
  target: `≤ ${GOAL * 100} %`,
  reached: ms / smallMs <= GOAL,
})

/** `restart`: of the database with its server, where it is the server's own. */
async function open(closers: Closers, total: number): Promise<Side & { restart: (() => Promise<unknown>) | null }> {
  const subject = await startSubject(closers)
  const sql = connectPool(await connectionOf(subject), 4)
  closers.push(
    () => rm(dirname(subject.server.dataDir), { recursive: true, force: true }),
    () => sql.end(),
  )
  const { server, databaseUrl } = subject
  const restart = databaseUrl ? null : () => server.stop().then(() => server.start())
  return { ...(await furnish(server.url, sql, total)), restart }
}

/** A shop in the server, of which all will be. */
export async function furnish(url: string, sql: Sql, total: number): Promise<Side> {
  const client = storefront(url)
  const { as, key, storeId, projectId } = await client.open()
  const connection = { enabled: true, credentials: { webhookSecret: 'rehearsal' }, settings: {} }
  const { id: carrierAccountId } = await client.ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, as, connection)
  const [project] = await sql<{ tenantId: number }[]>`select tenant_id from projects where id = ${projectId}`
  return { crowd: { projectId, tenantId: project!.tenantId, carrierAccountId, total }, sql, ask: askerOf(url, key) }
}

/** A connection that rested for a minute is closed, it may be in the moment in which it is used again. */
const onceMore = (ask: () => Promise<Response>) => ask().catch((error) => (error.code === 'ECONNRESET' ? ask() : Promise.reject(error)))

export function askerOf(url: string, key: string): Side['ask'] {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return async (asked) => {
    const { path, body } = typeof asked === 'string' ? { path: asked } : asked
    const began = performance.now()
    const answer = await onceMore(() => fetch(url + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }))
    const said = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${said.slice(0, 200)}`)
    return performance.now() - began
  }
}
