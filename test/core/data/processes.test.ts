import { afterAll, expect, test } from 'bun:test'
import { pino } from 'pino'
import { openDatabase } from '../../../core/data/database/database.ts'
import { type DeadProcesses, registerProcess } from '../../../core/data/processes/processes.ts'
import { registerSubscribers } from '../../../core/data/subscribers.ts'
import { byTheClock } from '../../support/clock.ts'
import { freshDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'

const log = pino({ level: 'silent' })
const database = openDatabase(await freshDatabase(), log)
const sql = database.pool(2)
const [one, other] = [await registerProcess(database, log), await registerProcess(database, log)]
const released: DeadProcesses[] = []
registerSubscribers([{ 'process.died': async (_, dead) => void released.push(dead) }])

afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  await sql.end()
  await database.stop()
})

const living = async () => (await sql<{ number: number }[]>`select number from processes order by number`).map(({ number }) => number)
const pretend = async () =>
  (
    await sql<
      { number: number }[]
    >`insert into processes (seen_at, worker_ids) values (now() - interval '1 minute', '{its-pool}') returning number`
  )[0]!.number

test('processes: a process that is alone counts all others as dead at once', async () => {
  const dead = await pretend()
  const alone = await registerProcess(database, log)
  await alone.startReaping({ alone: true })
  expect([await living(), released.splice(0), dead < alone.number]).toEqual([[alone.number], [{ workerIds: [], silenceMs: 0 }], true])
  await alone.stop()
})

test('processes: a process that was counted as dead learns of it, and takes a new number', async () => {
  const before = other.number
  const heard = Promise.withResolvers<void>()
  other.onFenced(heard.resolve)
  await sql`delete from processes where number = ${before}`
  await heard.promise
  expect(other.number).toBeGreaterThan(before)
  expect(await other.waitForLease()).toBe(other.number)
  expect(await living()).toContain(other.number)
})

test('processes: a silent process is dead once the others have been heard for the same time; the others are not', byTheClock, async () => {
  const dead = await pretend()
  const began = performance.now()
  await one.startReaping({ alone: false })
  await until(async () => !(await living()).includes(dead), 8_000)
  // A process that has just started, or lost the database for a while, waits as long to hear of others.
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(released).toEqual([{ workerIds: ['its-pool'], silenceMs: 3_000 }])
  expect(await living()).toEqual([one.number, other.number].sort((a, b) => a - b))
})
