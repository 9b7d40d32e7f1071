import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Adapter } from '../adapter.ts'
import type { Kind } from '../kind.ts'
import { kinds as ours } from '../kinds.ts'
import { type Approvals, type ApprovedAdapter, requestedAccess, type StoredAdapter } from './approvals.ts'
import { type Bundle, bundleAdapter } from './bundle.ts'
import { bundleInProcess } from './bundle-in-process.ts'
import { kindOf } from './check.ts'
import { mountInProcess, mountOwn } from './mount-in-process.ts'
import { type OwnBundles, openOwnBundles } from './own-bundles.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

/** Adapters that run in processes of their own: third-party ones, all, or none. */
export type Isolation = 'third-party' | 'all' | 'none'

/** Name of the folder with adapters added by command, below the data folder's `adapters`. Created when needed. */
export const INSTALLED_FOLDER = 'installed'

/** Folders to search for adapters, and how to treat those found. */
export interface AdapterSources {
  /** Folders with built-in adapters, which are part of this server's code. */
  readonly own: readonly string[]
  /** Folders with third-party adapters. */
  readonly others: readonly string[]
  /** Slugs of the enabled adapters; empty for all. */
  readonly enabled: readonly string[]
  readonly isolation: Isolation
  /** Approval of third-party adapters. `ask`: only approved code serves. `auto`: the code in the folder serves as it is. */
  readonly approval: 'ask' | 'auto'
  /** File that caches the bundles of built-in adapters between starts. */
  readonly kept?: string
}

/** A folder whose adapters cannot be used, and the reason. */
export interface RejectedAdapter {
  readonly folder: string
  readonly reason: string
}

/** An adapter that waits for an operator's approval. */
export interface PendingAdapter {
  readonly folder: string
  readonly slugs: readonly string[]
  readonly hash: string
  readonly hosts: readonly string[]
  /** Reason for the wait: it is new, its code differs from the approved code, or it declares hosts beyond the approved ones. */
  readonly change: 'new' | 'code' | 'hosts'
}

/** An adapter that may serve. */
export interface FoundAdapter {
  readonly folder: string
  readonly hash: string
  readonly isolated: boolean
  readonly kind: Kind
  readonly adapter: Adapter
}

/** Result of a search for adapters. */
export interface Discovery {
  readonly found: readonly FoundAdapter[]
  readonly rejected: readonly RejectedAdapter[]
  readonly pending: readonly PendingAdapter[]
}

/** Globs below a root: it is one adapter, or holds adapters, or folders of kinds. */
const entriesOf = (kinds: readonly Kind[]) =>
  ['*', ...kinds.map(({ name }) => `${name}/*`)].map((folder) => new Bun.Glob(`${folder}/index.ts`))

/** Result for one folder: adapters whose code may serve, code that waits for approval, and a problem. */
interface Loaded {
  readonly served?: { readonly hash: string; readonly adapters: readonly Adapter[] }
  readonly pending?: PendingAdapter
  readonly problem?: unknown
}

/** Reads all adapters again. A broken adapter never affects the others. */
export async function discoverAdapters(shelf: AdapterSources, sandbox: Sandbox, approvals: Approvals): Promise<Discovery> {
  const approved = shelf.approval === 'ask' ? await approvals.all() : {}
  const bundles = await openOwnBundles(shelf.kept)
  const loaded = await Promise.all(
    (await listAdapterFolders(shelf, sandbox.kinds)).map(async ({ folder, own }) => {
      const isolated = shelf.isolation === 'all' || (shelf.isolation === 'third-party' && !own)
      const load =
        own || shelf.approval === 'auto'
          ? loadCurrent(folder, { own, isolated }, sandbox, bundles)
          : loadApproved(folder, { isolated }, approved[folder], sandbox, approvals)
      return { folder, own, isolated, ...(await load.catch((problem: unknown): Loaded => ({ problem }))) }
    }),
  )
  await bundles.save()
  const found: FoundAdapter[] = []
  const missing = shelf.others.filter((root) => !existsSync(root) && basename(root) !== INSTALLED_FOLDER)
  const rejected: RejectedAdapter[] = missing.map((folder) => ({ folder, reason: 'no such folder; create it and restart the server' }))
  for (const { folder, own, isolated, served, problem } of loaded) {
    const hash = served?.hash ?? ''
    const reasons = problem === undefined ? [] : [problem instanceof Error ? problem.message : String(problem)]
    for (const adapter of served?.adapters ?? []) {
      const kind = kindOf(adapter, sandbox.kinds)
      const isTaken = found.some((other) => other.adapter.slug === adapter.slug)
      if (!kind) reasons.push(`there are no plugins of the kind "${adapter.kind}"`)
      else if (kind.builtInOnly && !own)
        reasons.push(`adapters of the kind "${kind.name}" are part of the server, and come from nowhere else`)
      else if (isTaken) reasons.push(`another adapter has the slug "${adapter.slug}"`)
      else if (shelf.enabled.length === 0 || shelf.enabled.includes(adapter.slug)) found.push({ folder, hash, isolated, kind, adapter })
    }
    rejected.push(...reasons.map((reason) => ({ folder, reason })))
  }
  return { found, rejected, pending: loaded.flatMap(({ pending }) => pending ?? []) }
}

/** Bundles a folder: in this process for built-in and trusted adapters, in a separate process for all others. */
export function bundleFolder(
  folder: string,
  { own, isolated }: { readonly own: boolean; readonly isolated: boolean },
  kinds: readonly Kind[],
  known?: OwnBundles,
): Promise<Bundle> {
  if (own && known) return known.bundle(folder, { within: isolated, kinds })
  if (own) return bundleAdapter(folder, { within: isolated, kinds })
  return isolated ? bundleInProcess(folder, kinds) : bundleAdapter(folder, { within: isolated, kinds })
}

async function loadCurrent(
  folder: string,
  { own, isolated }: { readonly own: boolean; readonly isolated: boolean },
  sandbox: Sandbox,
  bundles: OwnBundles,
): Promise<Loaded> {
  const bundle = await bundleFolder(folder, { own, isolated }, sandbox.kinds, bundles)
  const mountHere = () => (own ? mountOwn(bundle, sandbox.kinds, bundles) : mountInProcess(bundle, sandbox.kinds))
  const adapters = isolated ? sandbox.adapters(bundle, await sandbox.inspect(bundle)) : mountHere()
  return { served: { hash: bundle.hash, adapters } }
}

/** Loads the approved code. Code in the folder that differs from it is reported as pending. */
async function loadApproved(
  folder: string,
  { isolated }: { readonly isolated: boolean },
  was: ApprovedAdapter | undefined,
  sandbox: Sandbox,
  approvals: Approvals,
): Promise<Loaded> {
  const serve = ({ bundle, declared }: StoredAdapter) => ({
    served: { hash: bundle.hash, adapters: isolated ? sandbox.adapters(bundle, declared) : mountInProcess(bundle, sandbox.kinds) },
  })
  const kept = was && (await approvals.kept(was.hash))
  const before = kept ? serve(kept) : {}
  try {
    const bundle = await bundleFolder(folder, { own: false, isolated }, sandbox.kinds)
    const isSame = bundle.hash === was?.hash
    const declared = (isSame && kept?.declared) || (await sandbox.inspect(bundle))
    const wants = requestedAccess(declared)
    const reachesMore = wants.hosts.some((host) => !was?.hosts.includes(host))
    if (isSame && !reachesMore) return serve({ bundle, declared })
    return { ...before, pending: { folder, hash: bundle.hash, ...wants, change: !was ? 'new' : reachesMore ? 'hosts' : 'code' } }
  } catch (problem) {
    return { ...before, problem }
  }
}

/** Returns the folders of all adapters, built-in ones first, links followed. */
export async function listAdapterFolders(
  { own, others }: Pick<AdapterSources, 'own' | 'others'>,
  kinds: readonly Kind[] = ours,
): Promise<{ folder: string; own: boolean }[]> {
  const first = await foldersIn(own, kinds)
  const theirs = (await foldersIn(others, kinds)).filter((folder) => !first.includes(folder))
  return [...first.map((folder) => ({ folder, own: true })), ...theirs.map((folder) => ({ folder, own: false }))]
}

async function foldersIn(roots: readonly string[], kinds: readonly Kind[]): Promise<string[]> {
  const found: string[] = []
  for (const root of roots.filter(existsSync)) {
    const cwd = await realpath(root)
    if (existsSync(join(cwd, 'index.ts'))) found.push(cwd)
    else for (const glob of entriesOf(kinds)) found.push(...(await foldersMatching(glob, cwd)))
  }
  return [...new Set(found)]
}

async function foldersMatching(glob: Bun.Glob, cwd: string): Promise<string[]> {
  const entries = await Array.fromAsync(glob.scan({ cwd, absolute: true, followSymlinks: true }))
  return Promise.all(entries.sort().map((entry) => realpath(dirname(entry))))
}
