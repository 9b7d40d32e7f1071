import { join } from 'node:path'
import { sha256 } from '../../../core/lib/crypto/crypto.ts'
import { type Adapter, type AdapterContext, adapterErrorNames } from '../../adapter.ts'
import type { Kind } from '../../kind.ts'
import { kinds as ours } from '../../kinds.ts'
import type { Bundle } from '../bundle.ts'
import { summarizeProblems } from '../check.ts'
import { registerSourceMap, sourceLocationOf } from '../source-maps.ts'
import type { AdapterCall } from './call.ts'
import { findDeno, prepareLaunch } from './deno.ts'
import { openManifests } from './manifests.ts'
import { openPool, type Pool } from './pool.ts'
import type { DeclaredAdapter } from './protocol.ts'
import { createProxy } from './proxy.ts'

/** Runs untrusted adapters: each bundle and connection in its own process, without any permission. */
export interface Sandbox {
  /** Kinds that the adapters may be of. */
  readonly kinds: readonly Kind[]
  /**
   * Returns the validated declarations of a bundle from its first inspection, when it ran once without a connection. Throws with the reason
   * if it is invalid.
   */
  inspect(bundle: Bundle): Promise<readonly DeclaredAdapter[]>
  /** Returns the adapters of a bundle as proxies, whose functions run in processes. `hear` receives what they log or throw. */
  adapters(bundle: Bundle, declared: readonly DeclaredAdapter[], hear?: CallListener): Adapter[]
  /** Stops the processes of bundles that no longer serve, once they are idle. */
  retire(hashes: ReadonlySet<string>): void
  /** Returns the ids of the running processes. */
  pids(): readonly number[]
  close(): Promise<void>
}

/** Receives what a member logged, printed or threw, as text for the adapter's author. */
export type CallListener = (member: string, words: string) => void

/** Options of a sandbox. */
export interface SandboxOptions {
  /** Folder for the sandbox's own files. */
  readonly folder: string
  readonly processes: number
  /** Heap of each process in MiB. */
  readonly memoryMb: number
  readonly idleMs?: number
  /** Interval of the checks in milliseconds. A process that does not respond is ended after about forty checks. */
  readonly lookMs?: number
  /** Returns the path of Deno's binary; undefined if it is not installed. */
  readonly deno?: () => string | undefined
  /** Kinds that adapters may be of; all kinds by default. */
  readonly kinds?: readonly Kind[]
  /** Receives the reason why a process ended, or what it wrote to its error output. */
  readonly report: (what: string, words: string) => void
}

const LOAD_MS = 5_000

/** Opens a sandbox. Nothing is started before the first use. */
export function openSandbox({
  folder,
  processes,
  memoryMb,
  idleMs,
  lookMs,
  deno = findDeno,
  kinds = ours,
  report,
}: SandboxOptions): Sandbox {
  let opening: Promise<Pool> | undefined
  let pool: Pool | undefined
  const manifests = openManifests(join(folder, 'sandbox', 'manifests'))

  /** Opens the pool at first use: a server without isolated adapters never needs it. */
  async function open(): Promise<Pool> {
    opening ??= prepareLaunch(join(folder, 'sandbox'), memoryMb, deno()).then((launch) =>
      openPool(launch, {
        processes,
        limits: { memoryMb, loadMs: LOAD_MS },
        ...(idleMs !== undefined && { idleMs }),
        ...(lookMs !== undefined && { lookMs }),
        report,
      }),
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
    kinds,
    async inspect({ code }) {
      const hash = sha256(code)
      const known = await manifests.find(hash)
      const declared = known ?? (await (await open()).borrow(code, ({ ready }) => ready))
      const problems = summarizeProblems(
        declared.map((one) => createProxy(one, kinds, failCall)),
        kinds,
      )
      if (problems) throw new Error(problems)
      if (!known) await manifests.keep(hash, declared)
      return declared
    },
    adapters(bundle, declared, hear) {
      registerSourceMap(bundle)
      const { hash, code } = bundle
      const ask = async (call: AdapterCall) => (await open()).call(`${hash} ${call.context.connectionId}`, code, call)
      // The declarations were validated at the inspection, before any approval.
      return declared.map((one) => createProxy(one, kinds, hear ? (call) => traceCall(call, ask, hear) : ask) as Adapter)
    },
    retire: (hashes) => pool?.retire((key) => hashes.has(key.split(' ')[0]!)),
    pids: () => pool?.pids() ?? [],
    async close() {
      await opening?.catch(() => {})
      await pool?.close()
    },
  }
}

async function traceCall(call: AdapterCall, ask: (call: AdapterCall) => Promise<unknown>, hear: CallListener): Promise<unknown> {
  const { name: member, context } = call
  const log: AdapterContext['log'] = (message, fields) => {
    hear(member, `logged: ${message}${fields ? ` ${JSON.stringify(fields)}` : ''}`)
    context.log(message, fields)
  }
  try {
    return await ask({ ...call, context: { ...context, log } })
  } catch (error) {
    const { name, message, stack } = error as Error
    const place = sourceLocationOf(stack)
    if (!adapterErrorNames.includes(name)) hear(member, `threw ${name}: ${message}${place ? ` (${place})` : ''}`)
    throw error
  }
}

const failCall = async () => {
  throw new Error('An adapter cannot be called during inspection.')
}
