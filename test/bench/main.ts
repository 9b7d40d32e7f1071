import { loadavg } from 'node:os'
import { closeEverything } from '../support/at-end.ts'
import { findFallen, readNewestRelease } from './ceiling/history.ts'
import { adapters } from './measures/adapters.ts'
import { callbackToWebhook } from './measures/callback.ts'
import { consoleBudgets } from './measures/console.ts'
import { credentials } from './measures/credentials.ts'
import { deliveries } from './measures/deliveries.ts'
import { resolution } from './measures/geo.ts'
import { idleMemory, memoryOfLoad } from './measures/memory.ts'
import { oauth } from './measures/oauth.ts'
import { processes } from './measures/processes.ts'
import { products } from './measures/products.ts'
import { mostUsed } from './measures/rates.ts'
import { rowsOfSheet } from './measures/rows.ts'
import { sends } from './measures/sends.ts'
import { startTimes } from './measures/start.ts'
import { streamsAtOnce } from './measures/streams.ts'
import { toldByShops } from './measures/told.ts'
import { watchMemory } from './memory.ts'
import { store } from './store/main.ts'
import { format, machine, type Row } from './table.ts'
import { furnish, type Subject, startSubject, type World } from './world.ts'

/** Of a server without data, in this order. */
const quiet: Record<string, (subject: Subject) => Promise<Row[]>> = {
  start: startTimes,
  memory: idleMemory,
  sends,
  adapters,
  processes: () => processes({ full }),
  store: () => store({ full, seconds, outer: closers }),
  streams: () => streamsAtOnce(closers),
  rows: () => rowsOfSheet(closers),
}
/** Of a shop that is open, in this order; `seconds` is how long each side of a comparison is measured. */
const busy: Record<string, (world: World, seconds: number) => Promise<Row[]>> = {
  credentials,
  oauth,
  operations: mostUsed,
  geo: resolution,
  products,
  callback: callbackToWebhook,
  deliveries,
  told: toldByShops,
  console: consoleBudgets,
}
const names = [...Object.keys(quiet), ...Object.keys(busy)]
const SECONDS = 4

const large = process.argv.indexOf('--large')
if (large > 0) {
  const { measureLarge } = await import('./large/main.ts')
  await measureLarge(Number(process.argv[large + 1] ?? 1))
  process.exit(0)
}

const { seconds, only, full } = readArguments(process.argv.slice(2))
const closers: (() => Promise<unknown>)[] = [closeEverything]
let closing: Promise<void> | undefined
const [loadBefore] = loadavg()
let fallen: readonly string[] = []
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void closeAll().then(() => process.exit(130)))
try {
  const rows = await measureAll()
  console.log(`\n${format(rows)}\n\n${machine()}`)
  const release = await readNewestRelease()
  fallen = release ? findFallen(rows, release) : []
  for (const sentence of fallen) console.log(`!! ${sentence}`)
  console.log(`Load of the machine before it began: ${loadBefore!.toFixed(1)}. Each side of a comparison: ${seconds} s.`)
} finally {
  await closeAll()
}
process.exit(fallen.length > 0 ? 1 : 0)

/** Closes everything once: at the end, after a failure or on a signal. */
function closeAll(): Promise<void> {
  closing ??= (async () => {
    for (const close of closers.toReversed()) await close().catch((error) => console.error(error))
  })()
  return closing
}

async function measureAll(): Promise<Row[]> {
  const rows: Row[] = []
  const subject = await startSubject(closers)
  for (const [name, measure] of chosen(quiet)) rows.push(...(await told(name, () => measure(subject))))
  const wanted = chosen(busy)
  if (wanted.length === 0) return rows
  const world = await told('a shop to measure in', () => furnish(subject, closers))
  const memory = watchMemory(await subject.pid())
  for (const [name, measure] of wanted) rows.push(...(await told(name, () => measure(world, seconds))))
  return [...rows, ...(only.length > 0 ? [] : await memoryOfLoad(subject, memory.stop()))]
}

function chosen<Measure>(measures: Record<string, Measure>) {
  return Object.entries(measures).filter(([name]) => only.length === 0 || only.includes(name))
}

async function told<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  const began = performance.now()
  process.stderr.write(`${what} … `)
  const value = await work()
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(1)} s\n`)
  return value
}

function readArguments(given: readonly string[]) {
  const valuesOf = (name: string) => given.flatMap((word, at) => (given[at - 1] === name ? word.split(',') : []))
  const only = valuesOf('--only')
  const seconds = Number(valuesOf('--seconds')[0] ?? SECONDS)
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined || !(seconds > 0)) {
    console.error(`Usage: bun run bench [--seconds ${SECONDS}] [--full] [--only ${names.join(',')}]`)
    process.exit(2)
  }
  return { seconds, only, full: given.includes('--full') }
}
