import { join } from 'node:path'
import { type Static, Type as T } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { kinds as ours } from '../kinds.ts'
import type { Bundle, KindFolder } from './bundle.ts'
import { semaphore } from './sandbox/semaphore.ts'

const PROGRAM = join(import.meta.dir, 'bundle-program.ts')
const SECONDS = 5
/** On a busy machine, the CPU seconds take longer. */
const SECONDS_AT_MOST = 20
const DATA_KIB = 768 * 1024
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
const AT_ONCE = 3

/** Output of the bundling process. */
const BundleOutcome = T.Union([
  T.Object({ code: T.String(), hash: T.String(), map: T.Optional(T.String()) }),
  T.Object({ problem: T.String() }),
])
/** Type of {@link BundleOutcome}. */
export type BundleOutcome = Static<typeof BundleOutcome>

/** Shell prefix with limits. The operating system enforces them even if this process dies; a limit that it does not know is skipped. */
const LIMITED = `ulimit -c 0; ulimit -t ${SECONDS}; ulimit -d ${DATA_KIB} 2>/dev/null; exec "$@"`
/** Keeps Bun from reporting crashes, which only concern the adapter. */
const ENVIRONMENT = { DO_NOT_TRACK: '1', BUN_ENABLE_CRASH_REPORTING: '0' }

const slots = semaphore(AT_ONCE, Number.POSITIVE_INFINITY, 'the bundler')
const never = new AbortController().signal

/**
 * Bundles the adapter in `folder` in a separate process with limited memory and time. A page of TypeScript can require gigabytes (an enum
 * whose texts double), which must not hit this server. Throws with the file and the reason.
 */
export async function bundleInProcess(folder: string, kinds: readonly KindFolder[] = ours): Promise<Bundle> {
  await slots.enter(never)
  try {
    const said = await run(folder, kinds)
    if ('problem' in said) throw new Error(said.problem)
    return said
  } finally {
    slots.leave()
  }
}

async function run(folder: string, kinds: readonly KindFolder[]): Promise<BundleOutcome> {
  const directories: readonly KindFolder[] = kinds.map(({ name, directory }) => ({ name, directory }))
  const child = Bun.spawn(['/bin/sh', '-c', LIMITED, 'sh', process.execPath, PROGRAM, folder, JSON.stringify(directories)], {
    cwd: import.meta.dir,
    env: ENVIRONMENT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: SECONDS_AT_MOST * 1000,
    killSignal: 'SIGKILL',
    maxBuffer: ANSWER_BYTES_MAX,
  })
  const text = await new Response(child.stdout).text()
  await child.exited
  const said: unknown = text.length > 0 && child.exitCode === 0 ? JSON.parse(text) : undefined
  if (!Value.Check(BundleOutcome, said)) throw new Error(`takes more than ${SECONDS} seconds or too much memory to bundle`)
  return said
}
