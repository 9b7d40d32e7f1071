import { type FileUse, meterFiles } from './meter.ts'
import { MEASURES, type Stage } from './plan.ts'

const TIMEOUT_MS = '120000'
/** Milliseconds after which a process counts as hung. It is then ended, and counts as failed. */
const ENDS_WITHIN_MS = Number(process.env.TEST_BATCH_MS ?? 900_000)
/** Milliseconds to wait for the rest of the output. A process that was left behind may hold the output open. */
const CLOSES_WITHIN_MS = 2_000
const SAID_MAX = 2_000_000
const FAILURE_LINES = 40

/**
 * A process lives for a few minutes at most. Code that is compiled to last, collections of an idle heap, and memory that is given back at once
 * cost more than they bring. What measures has them as a server does.
 */
const SHORT_LIVED = {
  BUN_JSC_useFTLJIT: 'false',
  BUN_JSC_smallHeapGrowthFactor: '4',
  BUN_JSC_mediumHeapGrowthFactor: '4',
  MIMALLOC_PURGE_DELAY: '-1',
  BUN_GC_TIMER_DISABLE: '1',
}

/** Files of one stage that one process runs, one after another. */
export interface Batch {
  readonly stage: Stage
  readonly files: readonly string[]
  readonly expectedMs: number
}

/** A test that failed, with its output. */
export interface Failure {
  readonly file: string
  readonly said: string
}

/** Result of a batch. */
export interface Result {
  readonly batch: Batch
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly code: number
  readonly said: string
  readonly failures: readonly Failure[]
  /** Tests that failed and passed when they were tried again. */
  readonly triedAgain: readonly string[]
  /** Time and computing of each file. */
  readonly uses: Readonly<Record<string, FileUse>>
  /** Processor time of the process and its children, in milliseconds. */
  readonly computedMs: number
}

/** Runs a batch in a process of its own, with its own database, ports and folders. Returns its output at the end. */
export async function runBatch(batch: Batch): Promise<Result> {
  const child = Bun.spawn([process.execPath, 'test', '--timeout', TIMEOUT_MS, ...batch.files], {
    env: { ...(!MEASURES.test(batch.files[0]!) && SHORT_LIVED), ...batch.stage.env },
    stdout: 'pipe',
    stderr: 'pipe',
    detached: true,
  })
  running.add(child.pid)
  const meter = meterFiles(child.pid)
  const [tests, rest] = [lastOf(child.stderr, meter.hear), lastOf(child.stdout)]
  const hangs = setTimeout(() => endGroup(child.pid), ENDS_WITHIN_MS)
  const began = performance.now()
  const code = await child.exited
  clearTimeout(hangs)
  const lasted = performance.now() - began
  await Promise.race([Promise.all([tests.whole, rest.whole]), Bun.sleep(CLOSES_WITHIN_MS)])
  endGroup(child.pid)
  const hung = lasted >= ENDS_WITHIN_MS ? `\n!! ended after ${Math.round(lasted / 1000)} s: it hung\n` : ''
  const [said, printed] = [tests.said() + hung, rest.said()]
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(said)?.[1] ?? 0)
  const [passed, failed, skipped] = [count('pass'), count('fail'), count('skip')]
  const computedMs = Math.max(meter.computedMs(), Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000)
  const [failures, triedAgain] = [failuresIn(said), triedAgainIn(said)]
  return { batch, code, passed, failed, skipped, said: printed + said, failures, triedAgain, uses: meter.uses, computedMs }
}

/** Groups of processes that still run. */
const running = new Set<number>()
function endGroup(pid: number) {
  running.delete(pid)
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended by itself.
  }
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const pid of running) endGroup(pid)
    process.exit(1)
  })

function lastOf(stream: ReadableStream<Uint8Array>, hear: (line: string) => void = () => {}) {
  let [said, open] = ['', '']
  const decoder = new TextDecoder()
  const read = async () => {
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true })
      said = (said + text).slice(-SAID_MAX)
      const lines = (open + text).split('\n')
      open = lines.pop() ?? ''
      for (const line of lines) hear(line)
    }
  }
  return { whole: read(), said: () => said }
}

/** Returns each failed test with the output since the result of the test before it. Leaves out the runner's own list at its end. */
function failuresIn(said: string): Failure[] {
  const found: Failure[] = []
  let [file, before]: [string, string[]] = ['', []]
  for (const line of said.split('\n')) {
    if (/^\d+ tests? failed:$/.test(line)) break
    file = fileIn(line) ?? file
    before.push(line)
    if (line.startsWith('(fail)') && before.length > 1) found.push({ file, said: before.slice(-FAILURE_LINES).join('\n') })
    if (/^\((pass|fail|skip|todo)\)/.test(line)) before = []
  }
  return found
}

const fileIn = (line: string) => /^(test\/\S+\.test\.ts):$/.exec(line)?.[1]
const triedAgainIn = (said: string): string[] => Array.from(said.matchAll(/^\(pass\) (.*) \(attempt \d+\)/gm), ([, name]) => name!)
