import { join } from 'node:path'
import { sha256 } from '../../../core/lib/crypto.ts'
import type { Carrier } from '../../carrier/contract.ts'
import type { Bundle } from '../bundle.ts'
import { problemsOfAll } from '../check.ts'
import { findDeno, prepareLaunch } from './deno.ts'
import { openManifests } from './manifests.ts'
import { openPool, type Pool } from './pool.ts'
import type { Declared } from './protocol.ts'
import { proxyOf } from './proxy.ts'

/** Where adapters run that this server does not trust: each bundle and connection in a process of its own, without any permission. */
export interface Sandbox {
  /** What the bundle declared when it was first looked at, checked; it ran once, without a connection. Throws with the reason. */
  inspect(bundle: Bundle): Promise<readonly Declared[]>
  /** Its carriers, whose functions run in processes. */
  carriers(bundle: Bundle, declared: readonly Declared[]): Carrier[]
  /** Ends what runs for bundles that are not served any more, once it is idle. */
  retire(hashes: ReadonlySet<string>): void
  /** Numbers of the running processes. */
  pids(): readonly number[]
  close(): Promise<void>
}

export interface SandboxOptions {
  /** A folder of its own. */
  readonly folder: string
  readonly processes: number
  /** Of the heap of each process. */
  readonly memoryMb: number
  readonly idleMs?: number
  /** Where the binary is; undefined where it is not installed. */
  readonly deno?: () => string | undefined
  /** Why a process was ended, or what it wrote to its error output. */
  readonly report: (what: string, words: string) => void
}

const LOAD_MS = 5_000

export function openSandbox({ folder, processes, memoryMb, idleMs, deno = findDeno, report }: SandboxOptions): Sandbox {
  let opening: Promise<Pool> | undefined
  let pool: Pool | undefined
  const manifests = openManifests(join(folder, 'sandbox', 'manifests'))

  /** At first use: a server without such adapters needs none of it. */
  async function open(): Promise<Pool> {
    opening ??= prepareLaunch(join(folder, 'sandbox'), memoryMb, deno()).then((launch) =>
      openPool(launch, { processes, limits: { memoryMb, loadMs: LOAD_MS }, ...(idleMs !== undefined && { idleMs }), report }),
    )
    try {
      pool = await opening
      return pool
    } catch (error) {
      opening = undefined
      throw error
    }
  }

  return {
    async inspect({ code }) {
      const hash = sha256(code)
      const known = await manifests.find(hash)
      const declared = known ?? (await (await open()).borrow(code, ({ ready }) => ready))
      const problems = problemsOfAll(declared.map((one) => proxyOf(one, unasked)))
      if (problems) throw new Error(problems)
      if (!known) await manifests.keep(hash, declared)
      return declared
    },
    carriers: ({ hash, code }, declared) =>
      declared.map((one) => proxyOf(one, async (call) => (await open()).call(`${hash} ${call.context.connectionId}`, code, call))),
    retire: (hashes) => pool?.retire((key) => hashes.has(key.split(' ')[0]!)),
    pids: () => pool?.pids() ?? [],
    async close() {
      await opening?.catch(() => {})
      await pool?.close()
    },
  }
}

const unasked = async () => {
  throw new Error('Nothing is asked of an adapter that is only looked at.')
}
