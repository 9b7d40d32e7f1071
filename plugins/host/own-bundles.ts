import { mkdir, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Bundle, bundleAdapter, type KindFolder } from './bundle.ts'
import type { DeclaredAdapter } from './sandbox/protocol.ts'

/** Bundle in the cache. */
interface Kept {
  /** Hash over the names, sizes and times of all files that the bundle depends on. */
  readonly stamp: string
  readonly bundle: Bundle
  /** Declarations of its adapters. Absent until its code has run without a problem. */
  declared?: readonly DeclaredAdapter[]
}

/** Cached bundles, by the folder of the adapter and whether all its files must be inside. */
type Bundles = Record<string, Kept>

/** Cached bundles of built-in adapters. */
export interface OwnBundles {
  bundle(folder: string, options: { within: boolean; kinds: readonly KindFolder[] }): Promise<Bundle>
  /** Returns what the adapters of a bundle declare, without running their code. Undefined if it has never run. */
  declarationsOf(bundle: Bundle): readonly DeclaredAdapter[] | undefined
  /** Remembers what the adapters of a bundle declare. */
  declare(bundle: Bundle, declared: readonly DeclaredAdapter[]): void
  /** Writes new bundles to the cache file for the next start. */
  save(): Promise<void>
}

const ROOT = join(import.meta.dir, '../..')
/** Folders whose code bundles contain besides the adapter's own: the modules of the kinds, and what those import. */
const SHARED = [join(ROOT, 'plugins'), join(ROOT, 'core/lib')]
/** File that names the version of the server and of the libraries that bundles contain. */
const MANIFEST = join(ROOT, 'package.json')

/**
 * Opens the cache of built-in bundles. An adapter is bundled again only if its files, those of the `shared` folders, or the version of the
 * server have changed. `file` carries the cache over restarts; without it, or if it cannot be read or written, bundles are made again.
 */
export async function openOwnBundles(file: string | undefined, shared: readonly string[] = SHARED): Promise<OwnBundles> {
  const under = [Bun.version, await Bun.file(MANIFEST).text(), ...(await Promise.all(shared.map(stampOf)))].join('\n')
  // Not kept in memory: the bundles are megabytes of code, which is needed again only when a folder changes.
  const bundles = file === undefined ? {} : await read(file)
  let isNew = false
  const keptOf = (bundle: Bundle) => Object.values(bundles).find((kept) => kept.bundle === bundle)
  return {
    async bundle(folder, options) {
      const [key, stamp] = [`${folder}:${options.within}`, Bun.hash(`${under} ${await stampOf(folder)}`).toString(36)]
      const known = bundles[key]
      if (known?.stamp === stamp) return known.bundle
      const bundle = await bundleAdapter(folder, options)
      bundles[key] = { stamp, bundle }
      isNew = true
      return bundle
    },
    declarationsOf: (bundle) => keptOf(bundle)?.declared,
    declare(bundle, declared) {
      const kept = keptOf(bundle)
      if (!kept) return
      kept.declared = declared
      isNew = true
    },
    async save() {
      if (file !== undefined && isNew) await write(file, bundles).catch(() => {})
    },
  }
}

const read = (file: string): Promise<Bundles> =>
  Bun.file(file)
    .json()
    .catch(() => ({}))

/** Writes the cache atomically, even if several processes write it. */
async function write(file: string, bundles: Bundles): Promise<void> {
  const draft = `${file}.${process.pid}`
  await mkdir(dirname(file), { recursive: true })
  await Bun.write(draft, JSON.stringify(bundles), { mode: 0o600 })
  await rename(draft, file)
}

async function stampOf(folder: string): Promise<string> {
  const files = await Array.fromAsync(new Bun.Glob('**/*').scan({ cwd: folder, dot: true }))
  const stamps = files.sort().map(async (file) => {
    const { mtimeMs, size } = await stat(join(folder, file))
    return `${file} ${mtimeMs} ${size}`
  })
  return (await Promise.all(stamps)).join('\n')
}
