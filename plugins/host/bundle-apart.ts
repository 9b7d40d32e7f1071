import { join } from 'node:path'
import { type Static, Type as T } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { kinds as ours } from '../kinds.ts'
import type { Bundle, Home } from './bundle.ts'
import { turnstile } from './sandbox/turnstile.ts'

const PROGRAM = join(import.meta.dir, 'bundle-program.ts')
const SECONDS = 5
/** On a busy machine, those take longer. */
const SECONDS_AT_MOST = 20
const DATA_KIB = 768 * 1024
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
const AT_ONCE = 3

/** What the program says at its end. */
const Said = T.Union([T.Object({ code: T.String(), hash: T.String(), map: T.Optional(T.String()) }), T.Object({ problem: T.String() })])
export type Said = Static<typeof Said>

/** The system itself ends what takes more, whatever becomes of this process. A limit that a system does not know is left out. */
const LIMITED = `ulimit -c 0; ulimit -t ${SECONDS}; ulimit -d ${DATA_KIB} 2>/dev/null; exec "$@"`
/** A crash is the adapter's affair, and nobody else's. */
const ENVIRONMENT = { DO_NOT_TRACK: '1', BUN_ENABLE_CRASH_REPORTING: '0' }

const turns = turnstile(AT_ONCE, Number.POSITIVE_INFINITY, 'the bundler')
const never = new AbortController().signal

/**
 * Bundles the adapter in `folder` in a process of its own, with little memory and little time: a page of TypeScript can mean gigabytes
 * (an enumeration whose texts double), and those must not be this server's. Throws with the file and the reason.
 */
export async function bundleApart(folder: string, kinds: readonly Home[] = ours): Promise<Bundle> {
  await turns.enter(never)
  try {
    const said = await run(folder, kinds)
    if ('problem' in said) throw new Error(said.problem)
    return said
  } finally {
    turns.leave()
  }
}

async function run(folder: string, kinds: readonly Home[]): Promise<Said> {
  const homes = JSON.stringify(kinds.map(({ name, home }) => ({ name, home })))
  const child = Bun.spawn(['/bin/sh', '-c', LIMITED, 'sh', process.execPath, PROGRAM, folder, homes], {
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
  if (!Value.Check(Said, said)) throw new Error(`takes more than ${SECONDS} seconds or too much memory to be put together`)
  return said
}
