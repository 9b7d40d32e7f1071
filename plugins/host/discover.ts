import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Adapter } from '../adapter.ts'
import type { Kind } from '../kind.ts'
import { kinds as ours } from '../kinds.ts'
import { type Approvals, type Approved, asks, type Kept } from './approvals.ts'
import { type Bundle, bundleAdapter } from './bundle.ts'
import { bundleApart } from './bundle-apart.ts'
import { kindOf, problemsOfAll } from './check.ts'
import { type OwnBundles, openOwnBundles } from './own-bundles.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { keepSources } from './sources.ts'

/** Which adapters run in processes of their own: those from elsewhere, ours too, or none. */
export type Isolation = 'third-party' | 'all' | 'none'

/** Where adapters are put that were added by command, below the data folder's `adapters`; made when the first is. */
export const INSTALLED = 'installed'

export interface Shelf {
  /** Folders with our own adapters, which are this server's code. */
  readonly own: readonly string[]
  /** Folders with adapters from elsewhere. */
  readonly others: readonly string[]
  /** Slugs; all where it is empty. */
  readonly enabled: readonly string[]
  readonly isolation: Isolation
  /** `ask`: what comes from elsewhere serves once it is approved, as it was approved. `auto`: as it lies there. */
  readonly approval: 'ask' | 'auto'
  /** The file that keeps bundles of our own adapters from one start to the next. */
  readonly kept?: string
}

export interface Rejected {
  readonly folder: string
  readonly reason: string
}

/** What waits for an operator's word. */
export interface Pending {
  readonly folder: string
  readonly slugs: readonly string[]
  readonly hash: string
  readonly hosts: readonly string[]
  /** Why it waits: it is not known, its code is not the approved one, or it wants to reach more than was approved. */
  readonly change: 'new' | 'code' | 'hosts'
}

export interface Found {
  readonly folder: string
  readonly hash: string
  readonly isolated: boolean
  readonly kind: Kind
  readonly adapter: Adapter
}

export interface Discovered {
  readonly found: readonly Found[]
  readonly rejected: readonly Rejected[]
  readonly pending: readonly Pending[]
}

/** A root is one adapter, or holds adapters, or kinds of them. */
const entriesOf = (kinds: readonly Kind[]) =>
  ['*', ...kinds.map(({ name }) => `${name}/*`)].map((folder) => new Bun.Glob(`${folder}/index.ts`))

/** What was read of one folder: adapters of the code that may serve, what waits beside it, and what is wrong. */
interface Loaded {
  readonly served?: { readonly hash: string; readonly adapters: readonly Adapter[] }
  readonly pending?: Pending
  readonly problem?: unknown
}

/** What stands on the shelf now: every adapter is read anew. One broken adapter never stops the others. */
export async function discover(shelf: Shelf, sandbox: Sandbox, approvals: Approvals): Promise<Discovered> {
  const approved = shelf.approval === 'ask' ? await approvals.all() : {}
  const bundles = await openOwnBundles(shelf.kept)
  const loaded = await Promise.all(
    (await adapterFolders(shelf, sandbox.kinds)).map(async ({ folder, own }) => {
      const isolated = shelf.isolation === 'all' || (shelf.isolation === 'third-party' && !own)
      const load =
        own || shelf.approval === 'auto'
          ? loadAsItIs(() => bundleOf(folder, own, isolated, sandbox.kinds, bundles), isolated, sandbox)
          : loadApproved(folder, isolated, approved[folder], sandbox, approvals)
      return { folder, own, isolated, ...(await load.catch((problem: unknown): Loaded => ({ problem }))) }
    }),
  )
  await bundles.save()
  const found: Found[] = []
  const missing = shelf.others.filter((root) => !existsSync(root) && basename(root) !== INSTALLED)
  const rejected: Rejected[] = missing.map((folder) => ({ folder, reason: 'there is no such folder; make it, and start the server again' }))
  for (const { folder, own, isolated, served, problem } of loaded) {
    const hash = served?.hash ?? ''
    const reasons = problem === undefined ? [] : [problem instanceof Error ? problem.message : String(problem)]
    for (const adapter of served?.adapters ?? []) {
      const kind = kindOf(adapter, sandbox.kinds)
      const isTaken = found.some((other) => other.adapter.slug === adapter.slug)
      if (!kind) reasons.push(`there are no plugins of the kind "${adapter.kind}"`)
      else if (kind.oursAlone && !own)
        reasons.push(`adapters of the kind "${kind.name}" are part of the server, and come from nowhere else`)
      else if (isTaken) reasons.push(`another adapter has the slug "${adapter.slug}"`)
      else if (shelf.enabled.length === 0 || shelf.enabled.includes(adapter.slug)) found.push({ folder, hash, isolated, kind, adapter })
    }
    rejected.push(...reasons.map((reason) => ({ folder, reason })))
  }
  return { found, rejected, pending: loaded.flatMap(({ pending }) => pending ?? []) }
}

/** What is ours, or trusted as if it were, is bundled here; everything else in a process of its own. */
export function bundleOf(folder: string, own: boolean, isolated: boolean, kinds: readonly Kind[], known?: OwnBundles): Promise<Bundle> {
  if (own && known) return known.bundle(folder, { within: isolated, kinds })
  if (own) return bundleAdapter(folder, { within: isolated, kinds })
  return isolated ? bundleApart(folder, kinds) : bundleAdapter(folder, { within: isolated, kinds })
}

async function loadAsItIs(bundled: () => Promise<Bundle>, isolated: boolean, sandbox: Sandbox): Promise<Loaded> {
  const bundle = await bundled()
  const adapters = isolated ? sandbox.adapters(bundle, await sandbox.inspect(bundle)) : mounted(bundle, sandbox.kinds)
  return { served: { hash: bundle.hash, adapters } }
}

/** What was approved goes on as it was; what stands in its place now is listed until it is approved too. */
async function loadApproved(
  folder: string,
  isolated: boolean,
  was: Approved | undefined,
  sandbox: Sandbox,
  approvals: Approvals,
): Promise<Loaded> {
  const serve = ({ bundle, declared }: Kept) => ({
    served: { hash: bundle.hash, adapters: isolated ? sandbox.adapters(bundle, declared) : mounted(bundle, sandbox.kinds) },
  })
  const kept = was && (await approvals.kept(was.hash))
  const before = kept ? serve(kept) : {}
  try {
    const bundle = await bundleOf(folder, false, isolated, sandbox.kinds)
    const isSame = bundle.hash === was?.hash
    const declared = (isSame && kept?.declared) || (await sandbox.inspect(bundle))
    const wants = asks(declared)
    const reachesMore = wants.hosts.some((host) => !was?.hosts.includes(host))
    if (isSame && !reachesMore) return serve({ bundle, declared })
    return { ...before, pending: { folder, hash: bundle.hash, ...wants, change: !was ? 'new' : reachesMore ? 'hosts' : 'code' } }
  } catch (problem) {
    return { ...before, problem }
  }
}

/** Every adapter's folder, ours first, links followed. */
export async function adapterFolders(
  { own, others }: Pick<Shelf, 'own' | 'others'>,
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
    else for (const glob of entriesOf(kinds)) found.push(...(await foldersMeant(glob, cwd)))
  }
  return [...new Set(found)]
}

async function foldersMeant(glob: Bun.Glob, cwd: string): Promise<string[]> {
  const entries = await Array.fromAsync(glob.scan({ cwd, absolute: true, followSymlinks: true }))
  return Promise.all(entries.sort().map((entry) => realpath(dirname(entry))))
}

/** In this process, with all that it can reach. */
function mounted(bundle: Bundle, kinds: readonly Kind[]): Adapter[] {
  keepSources(bundle)
  let exported: unknown
  new Function('mount', bundle.code)((value: unknown) => {
    exported = value
  })
  const definitions: unknown[] = Array.isArray(exported) ? exported : [exported]
  const problems = problemsOfAll(definitions, kinds)
  if (problems) throw new Error(problems)
  return definitions as Adapter[]
}
