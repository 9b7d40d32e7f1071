import { join } from 'node:path'
import { sha256 } from '../../../core/lib/crypto/crypto.ts'
import { type Adapter, type AdapterContext, adapterErrorNames } from '../../adapter.ts'
import type { Kind } from '../../kind.ts'
import { kinds as ours } from '../../kinds.ts'
import type { Bundle } from '../bundle.ts'
import { problemsOfAll } from '../check.ts'
import { keepSources, placeIn } from '../sources.ts'
import type { Call } from './call.ts'
import { findDeno, prepareLaunch } from './deno.ts'
import { openManifests } from './manifests.ts'
import { openPool, type Pool } from './pool.ts'
import type { Declared } from './protocol.ts'
import { proxyOf } from './proxy.ts'

/** Where adapters run that this server does not trust: each bundle and connection in a process of its own, without any permission. */
export interface Sandbox {
  /** Those that its adapters may be of. */
  readonly kinds: readonly Kind[]
  /** What the bundle declared when it was first looked at, checked; it ran once, without a connection. Throws with the reason. */
  inspect(bundle: Bundle): Promise<readonly Declared[]>
  /** Its adapters, whose functions run in processes. */
  adapters(bundle: Bundle, declared: readonly Declared[], hear?: Hear): Adapter[]
  /** Ends what runs for bundles that are not served any more, once it is idle. */
  retire(hashes: ReadonlySet<string>): void
  /** Numbers of the running processes. */
  pids(): readonly number[]
  close(): Promise<void>
}

/** What a member of an adapter logged, printed or threw, in words for whoever writes it. */
export type Hear = (member: string, words: string) => void

export interface SandboxOptions {
  /** A folder of its own. */
  readonly folder: string
  readonly processes: number
  /** Of the heap of each process. */
  readonly memoryMb: number
  readonly idleMs?: number
  /** How often processes are looked at; one that does not hear is ended after some forty looks. */
  readonly lookMs?: number
  /** Where the binary is; undefined where it is not installed. */
  readonly deno?: () => string | undefined
  /** Those that adapters may be of; ours unless said. */
  readonly kinds?: readonly Kind[]
  /** Why a process was ended, or what it wrote to its error output. */
  readonly report: (what: string, words: string) => void
}

const LOAD_MS = 5_000

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

  /** At first use: a server without such adapters needs none of it. */
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
      const problems = problemsOfAll(
        declared.map((one) => proxyOf(one, kinds, unasked)),
        kinds,
      )
      if (problems) throw new Error(problems)
      if (!known) await manifests.keep(hash, declared)
      return declared
    },
    adapters(bundle, declared, hear) {
      keepSources(bundle)
      const { hash, code } = bundle
      const ask = async (call: Call) => (await open()).call(`${hash} ${call.context.connectionId}`, code, call)
      // It was checked when it was looked at, before anybody approved it.
      return declared.map((one) => proxyOf(one, kinds, hear ? (call) => overheard(call, ask, hear) : ask) as Adapter)
    },
    retire: (hashes) => pool?.retire((key) => hashes.has(key.split(' ')[0]!)),
    pids: () => pool?.pids() ?? [],
    async close() {
      await opening?.catch(() => {})
      await pool?.close()
    },
  }
}

async function overheard(call: Call, ask: (call: Call) => Promise<unknown>, hear: Hear): Promise<unknown> {
  const { name: member, context } = call
  const log: AdapterContext['log'] = (message, fields) => {
    hear(member, `logged: ${message}${fields ? ` ${JSON.stringify(fields)}` : ''}`)
    context.log(message, fields)
  }
  try {
    return await ask({ ...call, context: { ...context, log } })
  } catch (error) {
    const { name, message, stack } = error as Error
    const place = placeIn(stack)
    if (!adapterErrorNames.includes(name)) hear(member, `threw ${name}: ${message}${place ? ` (${place})` : ''}`)
    throw error
  }
}

const unasked = async () => {
  throw new Error('Nothing is asked of an adapter that is only looked at.')
}
