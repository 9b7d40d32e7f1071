import { mkdir, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Bundle, bundleAdapter, type Home } from './bundle.ts'

interface Kept {
  /** Of all files that it was made of. */
  readonly stamp: string
  readonly bundle: Bundle
}

/** By folder, and whether all of it had to stand in there. */
type Bundles = Record<string, Kept>

export interface OwnBundles {
  bundle(folder: string, options: { within: boolean; kinds: readonly Home[] }): Promise<Bundle>
  /** Keeps for the next start what was made now. */
  save(): Promise<void>
}

const PLUGINS = join(import.meta.dir, '..')
const inMemory: Bundles = {}
let server: Promise<string> | undefined

/**
 * Our own adapters, each bundled again only when a file of it, or of what it stands on, has changed: the shelf is read anew whenever anything
 * on it does, and at each start. `file` keeps them from one start to the next; where it cannot be read or written they are made anew.
 */
export async function openOwnBundles(file: string | undefined): Promise<OwnBundles> {
  server ??= stampOf(PLUGINS)
  const under = `${Bun.version} ${await server}`
  if (file !== undefined && Object.keys(inMemory).length === 0) Object.assign(inMemory, await read(file))
  let isNew = false
  return {
    async bundle(folder, options) {
      const [key, stamp] = [`${folder}:${options.within}`, Bun.hash(`${under} ${await stampOf(folder)}`).toString(36)]
      const known = inMemory[key]
      if (known?.stamp === stamp) return known.bundle
      const bundle = await bundleAdapter(folder, options)
      inMemory[key] = { stamp, bundle }
      isNew = true
      return bundle
    },
    async save() {
      if (file !== undefined && isNew) await write(file).catch(() => {})
    },
  }
}

const read = (file: string): Promise<Bundles> =>
  Bun.file(file)
    .json()
    .catch(() => ({}))

/** Whole, whoever else writes it. */
async function write(file: string): Promise<void> {
  const draft = `${file}.${process.pid}`
  await mkdir(dirname(file), { recursive: true })
  await Bun.write(draft, JSON.stringify(inMemory), { mode: 0o600 })
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
