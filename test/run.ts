import { missingExampleTools } from './docs/tools.ts'
import { type Batch, type Result, runBatch } from './runner/batch.ts'
import { cutBatches, type Lanes } from './runner/cut.ts'
import { onceMore } from './runner/once-more.ts'
import {
  connectionsOfServer,
  EXTERNAL,
  MEASURES,
  missingService,
  onceOver,
  prepare,
  type Stage,
  thoroughStages,
  WAITS,
} from './runner/plan.ts'
import { Room } from './runner/room.ts'
import { understand } from './runner/statements.ts'
import { readTimes, type Times, writeTimes } from './runner/times.ts'
import { chromium } from './support/chromium.ts'

/**
 * Runs every test, with a share of its cases, on the embedded database with no service running. With `--thorough` it repeats tests in other
 * circumstances instead: every case, on an external PostgreSQL and Redis, with adapters in processes of their own, with faults planted into
 * adapters, and with the machine to itself where a test measures how long others wait. Several processes work side by side, what takes longest first. `TEST_LANES`: how many
 * of them compute; tests wait for the clock so often that two cores have work for four. Files that are named are run alone.
 */
const LANES: Lanes = { computing: Number(process.env.TEST_LANES ?? 4), waiting: 2 }
const SLOWEST = 10

const waits = ({ files }: Batch) => WAITS.test(files[0]!)
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const longestFirst = (batches: readonly Batch[]) => batches.toSorted((a, b) => b.expectedMs - a.expectedMs)

async function runInLanes(batches: readonly Batch[], lanes: Lanes, room: Room): Promise<Result[]> {
  const [computing, waiting] = [longestFirst(batches.filter((batch) => !waits(batch))), longestFirst(batches.filter(waits))]
  const results: Result[] = []
  const lane = async (...queues: Batch[][]) => {
    for (let batch = await room.take(...queues); batch; batch = await room.take(...queues)) {
      const result = await runBatch(batch)
      room.giveBack(batch)
      results.push(result)
      console.log(`\n── ${batch.stage.name}, ${seconds(result.computedMs)} computed: ${batch.files.join(' ')}\n${result.said}`)
    }
  }
  const open = (count: number, ...queues: Batch[][]) => Array.from({ length: count }, () => lane(...queues))
  await Promise.all([...open(lanes.computing, computing, waiting), ...open(lanes.waiting, waiting)])
  return results
}

/** What the suite has just found true: every platform with what it does, and its cases. */
async function acceptanceTable(): Promise<string> {
  const page = await Bun.file(`${import.meta.dir}/../adapters/carrier/README.md`).text()
  return page.slice(page.indexOf('| platform'), page.indexOf('\n\n', page.indexOf('| platform')))
}

const sum = (results: readonly Result[], what: 'passed' | 'failed' | 'skipped') =>
  results.reduce((total, result) => total + result[what], 0)
const counts = (results: readonly Result[]) =>
  `${sum(results, 'passed')} passed, ${sum(results, 'failed')} failed, ${sum(results, 'skipped')} skipped`
/** A process that ended badly without a test that failed: something broke between tests. */
const broke = ({ code, failed }: Result) => code !== 0 && failed === 0

/** What each file took, by the name of its stage and its own. */
const usesOf = (results: readonly Result[]) =>
  results.flatMap(({ batch, uses }) => Object.entries(uses).map(([file, use]) => [`${batch.stage.name} ${file}`, use] as const))

function report(stages: readonly Stage[], results: readonly Result[]) {
  const slowest = usesOf(results)
    .sort(([, a], [, b]) => b.computedMs - a.computedMs)
    .slice(0, SLOWEST)
  console.log('\n── the files that computed most, and how long they lasted')
  for (const [name, { computedMs, lastedMs }] of slowest)
    console.log(`${seconds(computedMs).padStart(8)}${seconds(lastedMs).padStart(8)}  ${name}`)
  // Once more at the end, where somebody who reads a long log looks.
  for (const { batch, failures } of results) for (const { said } of failures) console.log(`\n── failed: ${batch.stage.name}\n${said}`)
  for (const result of results.filter(broke))
    console.log(`\n── ended with ${result.code}: ${result.batch.stage.name}: ${result.batch.files.join(' ')}\n${result.said.slice(-3_000)}`)
  for (const { batch, triedAgain } of results)
    for (const name of triedAgain) console.log(`\n!! passed when it was tried again: ${batch.stage.name}: ${name}`)
  console.log('')
  for (const stage of stages) console.log(`${stage.name}: ${counts(results.filter(({ batch }) => batch.stage === stage))}`)
}

const began = performance.now()
const thorough = process.argv.includes('--thorough')
const named = process.argv.slice(2).filter((each) => each !== '--thorough')
const missing = await missingService()
const { prepared, reading, databaseMs, end } = await prepare({ hasServices: missing === null }, { readsStatements: !thorough })
const stages = thorough ? thoroughStages(named, { hasServices: missing === null }, prepared) : onceOver(named, prepared)
const known = await readTimes()
const batches = stages.flatMap((stage) => cutBatches(stage, known, LANES))
const measures = (batch: Batch) => MEASURES.test(batch.files[0]!)
const room = new Room(missing === null ? await connectionsOfServer() : 0, EXTERNAL)
const together = batches.filter((batch) => !measures(batch))
const alone = { computing: 1, waiting: 0 }
const results = await onceMore(
  [...(await runInLanes(together, LANES, room)), ...(await runInLanes(batches.filter(measures), alone, room))],
  (batches) => runInLanes(batches, alone, room),
)
const { read, failures: unread } = reading
  ? await understand(await reading.database, reading.folder, { mayBeNone: named.length > 0 })
  : { read: 0, failures: [] }
const database = databaseMs()
await end()
const times: Times = Object.fromEntries(usesOf(results).map(([name, { lastedMs }]) => [name, lastedMs]))
await writeTimes({ ...known, ...times })
if (named.length === 0 && !thorough) console.log(`\n${await acceptanceTable()}`)
report(stages, results)
const computed = results.reduce((total, { computedMs }) => total + computedMs, 0)
console.log(
  `in ${seconds(performance.now() - began)}; all cores together, tests computed ${seconds(computed)} and their database ${seconds(database)}`,
)
for (const failure of unread) console.log(`\n── failed: the external PostgreSQL does not understand\n${failure}`)
if (reading) console.log(`the external PostgreSQL read ${read} statements of the tests on the embedded one`)
if (thorough && missing !== null) console.log(`!! NOT RUN on external services: ${missing}. Set TEST_DATABASE_URL and TEST_REDIS_URL.`)
if (chromium === null) console.log('!! NOT RUN in a browser: no Chromium is found. Install it, or set BUN_CHROME_PATH.')
if (missingExampleTools.length > 0) console.log(`!! NOT RUN: the examples of the docs need ${missingExampleTools.join(', ')}.`)
if (!thorough) console.log('What runs every case, and repeats them on other services and with adapters apart: bun run test --thorough')
const required = missing !== null && process.env.REQUIRE_SERVICES === 'true'
if (required) console.log('The external services are meant to be here: this run failed.')
const failures = sum(results, 'failed') + results.filter(broke).length + unread.length + (required ? 1 : 0)
console.log(`${sum(results, 'passed')} passed, ${failures} failed, ${sum(results, 'skipped')} skipped`)
process.exit(failures > 0 || results.some(({ code }) => code !== 0) ? 1 : 0)
