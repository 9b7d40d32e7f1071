import { parseArgs } from 'node:util'
import { MINUTE_MS } from '../../core/lib/durations.ts'

/**
 * Runs the tests that are driven by a seed with new seeds, for as long as it is told, and stops at the first failure with what repeats it.
 *
 *     bun run fuzz --minutes 30            new seeds for half an hour (default: 10 minutes)
 *     bun run fuzz --seed 56595128         one round with this seed
 *     bun run fuzz --runs 100              requests per operation of the interface (default: 40)
 *     bun run fuzz --only interface        one subject; several are parted by commas
 *     bun run fuzz --valid                 prints which requests that the description allows are refused, and why; takes --seed and --runs
 */
const SUBJECTS: Readonly<Record<string, { readonly file: string; readonly seed: string; readonly title?: string }>> = {
  interface: { file: 'test/interface/fuzz.test.ts', seed: 'FUZZ_SEED', title: 'whatever is sent' },
  orders: { file: 'test/core/orders/order-races.test.ts', seed: 'ORDER_SEED' },
  payments: { file: 'test/core/money/payment-races.test.ts', seed: 'PAYMENT_SEED' },
  payouts: { file: 'test/core/money/payouts-model.test.ts', seed: 'PAYOUT_SEED' },
  subscriptions: { file: 'test/core/money/subscriptions-pay.test.ts', seed: 'SUBSCRIPTION_SEED' },
  inventory: { file: 'test/core/shop/inventory-model.test.ts', seed: 'INVENTORY_SEED' },
  cash: { file: 'test/core/money/remittances/remittances-model.test.ts', seed: 'CASH_SEED' },
  catalog: { file: 'test/core/shop/catalog-model.test.ts', seed: 'CATALOG_SEED' },
}

const SEEDS = 1e9

interface Options {
  readonly subjects: readonly string[]
  readonly minutes: number
  readonly runs: number
  /** Null: a new one each round. */
  readonly seed: number | null
  readonly measuresValid: boolean
}

/** Sends requests that the description allows and prints what was refused. Returns the exit code. */
async function measureValid(seed: number, runs: number): Promise<number> {
  const child = Bun.spawn([process.execPath, 'test', '--timeout', '3600000', './test/interface/valid.test.ts'], {
    env: { ...process.env, VALID_SEED: String(seed), VALID_RUNS: String(runs) },
    stdout: 'inherit',
    stderr: 'inherit',
  })
  console.log(`To repeat it: bun run fuzz --valid --seed ${seed} --runs ${runs}`)
  return child.exited
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

function numberOf(name: string, given: string, least: number): number {
  const value = Number(given)
  return given.trim() !== '' && value >= least ? value : fail(`--${name} takes a number of at least ${least}, not "${given}".`)
}

function readOptions(): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { minutes: text, seed: text, runs: text, only: text, valid: { type: 'boolean' } } })
  const subjects = values.only?.split(',') ?? Object.keys(SUBJECTS)
  const unknown = subjects.filter((name) => !(name in SUBJECTS))
  if (unknown.length > 0) fail(`There is no subject ${unknown.join(', ')}. There are: ${Object.keys(SUBJECTS).join(', ')}.`)
  return {
    subjects,
    minutes: numberOf('minutes', values.minutes ?? '10', 0),
    runs: numberOf('runs', values.runs ?? '40', 1),
    seed: values.seed === undefined ? null : numberOf('seed', values.seed, 0),
    measuresValid: values.valid === true,
  }
}

/** Runs one subject with one seed. Null where it passed, else what the tests printed. */
async function runSubject(name: string, seed: number, runs: number): Promise<string | null> {
  const subject = SUBJECTS[name]
  if (!subject) return `There is no subject ${name}.`
  const only = subject.title ? ['--test-name-pattern', subject.title] : []
  const child = Bun.spawn([process.execPath, 'test', '--timeout', '120000', `./${subject.file}`, ...only], {
    env: { ...process.env, EVERY_CASE: 'true', [subject.seed]: String(seed), FUZZ_RUNS: String(runs) },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [said, complained, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  return code === 0 ? null : said + complained
}

/** Failures without the passes and the lines of the log around them. */
const failuresIn = (printed: string) =>
  printed
    .split('\n')
    .filter((line) => !/^\((pass|skip)\)/.test(line))
    .join('\n')

const { subjects, minutes, runs, seed: given, measuresValid } = readOptions()
if (measuresValid) process.exit(await measureValid(given ?? Math.floor(Math.random() * SEEDS), runs))
const end = performance.now() + minutes * MINUTE_MS
let rounds = 0
do {
  const seed = given ?? Math.floor(Math.random() * SEEDS)
  for (const name of subjects) {
    if (rounds > 0 && performance.now() >= end) break
    const began = performance.now()
    const failed = await runSubject(name, seed, runs)
    console.log(`${failed === null ? 'ok    ' : 'FAILED'} ${name}, seed ${seed}, ${((performance.now() - began) / 1000).toFixed(1)} s`)
    if (failed === null) continue
    console.log(`${failuresIn(failed)}\nTo repeat it: bun run fuzz --only ${name} --seed ${seed} --runs ${runs}`)
    process.exit(1)
  }
  rounds += 1
} while (given === null && performance.now() < end)
console.log(`${rounds} ${rounds === 1 ? 'round' : 'rounds'}, nothing found.`)
