import { afterAll, expect, spyOn, test } from 'bun:test'
import { Client } from 'pg'
import { pino } from 'pino'
import { openDatabase } from '../../../core/data/database/database.ts'
import { createWorkerPool, enqueue, type JobHandlers, releaseJobsOfDead, startWorkers } from '../../../core/data/jobs.ts'
import { registerProcess } from '../../../core/data/processes/processes.ts'
import { connectionString } from '../../../core/data/sql.ts'
import { registerSubscribers } from '../../../core/data/subscribers.ts'
import { byTheClock } from '../../support/clock.ts'
import { freshDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'

const log = pino({ level: 'silent' })
const connection = await freshDatabase()
const database = openDatabase(connection, log)
const sql = database.pool(4)
const inHand: string[] = []
const begun: string[] = []
const quick: number[] = []
const handlers = {
  async 'test.slow'({ owner }: { owner: string }) {
    begun.push(owner)
    inHand.push(owner)
    await Bun.sleep(300)
    inHand.splice(inHand.indexOf(owner), 1)
  },
  async 'test.quick'({ n }: { n: number }) {
    quick.push(n)
  },
} as unknown as JobHandlers
registerSubscribers([{ 'process.died': releaseJobsOfDead }])
const processes = await registerProcess(database, log)
const options = { connectionString: connectionString(connection), concurrency: 16, pool: 8, cron: [], shutdownMs: 5_000, log }
const workers = await startWorkers(handlers, { ...options, processes, database })

afterAll(async () => {
  await workers.stop()
  await processes.stop()
  await sql.end()
  await database.stop()
})

test('a connection that the database breaks ends nothing, in use, at rest, or while the pool is closed', async () => {
  const pool = createWorkerPool(connectionString(connection), 8)
  const breaks = async (client: { query(text: string): Promise<{ rows: { pid: number }[] }> }) => {
    const { rows } = await client.query('select pg_backend_pid() as pid')
    return () => sql`select pg_terminate_backend(${rows[0]!.pid})`
  }
  const [used, rests, closed] = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
  const [first, second, third] = [await breaks(used), await breaks(rests), await breaks(closed)]
  rests.release()
  await first()
  await second()
  closed.release()
  const ended = pool.end()
  await third()
  used.release()
  await ended
  expect(() => pool.emit('error', new Error('late'), used)).not.toThrow()
})

test('jobs: due jobs start together, jobs of one queue follow each other at once, and idle workers poll seldom', byTheClock, async () => {
  const at = new Date(Date.now() + 400)
  await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      enqueue(sql, 'test.slow' as never, { owner: `due ${n}` } as never, { owner: `due ${n}`, runAt: at }),
    ),
  )
  await until(async () => inHand.length >= 10)
  expect(Date.now()).toBeLessThan(at.getTime() + 500)
  await until(async () => inHand.length === 0)
  const queued = performance.now()
  quick.length = 0
  for (let n = 0; n < 20; n += 1) await enqueue(sql, 'test.quick' as never, { n } as never, { queue: 'one' })
  await until(async () => quick.length === 20)
  expect(performance.now() - queued).toBeLessThan(2_500)
  expect(quick).toEqual(Array.from({ length: 20 }, (_, n) => n))
  await until(async () => (await sql`select 1 from graphile_worker.jobs`).length === 0)
  await Bun.sleep(500)
  const asked = spyOn(Client.prototype, 'query')
  await Bun.sleep(2_000)
  // Sixteen workers that each asked every second would be more; and somebody does ask.
  expect(asked.mock.calls.filter((call) => JSON.stringify(call[0]).includes('skip locked')).length).toBeWithin(1, 25)
  asked.mockRestore()
})

const ask = (owner: string) => enqueue(sql, 'test.slow' as never, { owner } as never, { owner })

test('a job in hand is held under a name that its process says is alive: however long it takes, nobody else gets it', async () => {
  await ask('somebody')
  const holders = async () =>
    (await sql<{ lockedBy: string }[]>`select distinct locked_by from graphile_worker.jobs where locked_by is not null`).map(
      ({ lockedBy }) => lockedBy,
    )
  await until(async () => (await holders()).length > 0)
  const [holder] = await holders()
  const living = async () => (await sql<{ workerIds: string[] }[]>`select worker_ids from processes`).flatMap(({ workerIds }) => workerIds)
  await until(async () => (await living()).includes(holder!))
})

test("jobs: one owner's jobs use at most an eighth of the workers, and jobs of other owners start at once", byTheClock, async () => {
  await until(async () => inHand.length === 0)
  await Promise.all(Array.from({ length: 40 }, () => ask('greedy')))
  await until(async () => inHand.length > 1)
  for (let look = 0; look < 10; look += 1) {
    expect(inHand.length).toBeLessThanOrEqual(2)
    await Bun.sleep(30)
  }
  const askedAt = performance.now()
  begun.length = 0
  await ask('modest')
  await until(async () => begun.includes('modest'))
  expect(performance.now() - askedAt).toBeLessThan(250)
  expect(inHand.filter((owner) => owner === 'greedy').length).toBeLessThanOrEqual(2)
})

test('jobs: a job taken by a dying process is free as soon as its death is known', async () => {
  await processes.startReaping({ alone: false })
  begun.length = 0
  await sql.begin(async (tx) => {
    await enqueue(tx, 'test.slow' as never, { owner: 'left' } as never, { owner: 'left' })
    await tx`update graphile_worker._private_jobs set locked_by = 'dead-pool', locked_at = now()`
    await tx`insert into processes (seen_at, worker_ids) values (now() - interval '1 minute', '{dead-pool}')`
  })
  // As soon as it has heard the others for as long itself, which takes less than three seconds here.
  await until(async () => begun.includes('left'), 6_000)
})
