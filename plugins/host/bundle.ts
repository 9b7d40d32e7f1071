import { realpath, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { sha256 } from '../../core/lib/crypto/crypto.ts'
import { HOST_SOURCE_PREFIX, sourceName } from './source-maps.ts'

/** An adapter as one script. It calls `mount` with the adapter's export, and imports nothing. */
export interface Bundle {
  readonly code: string
  /** SHA-256 over the adapter's own files by path. It depends only on the adapter, not on what the server adds to the bundle. */
  readonly hash: string
  /** Source map as JSON, from lines of the bundle to lines of the files. */
  readonly map?: string
}

/** Name and folder of a kind. Adapters import `index.ts` of the folder as `serai/<name>`. */
export interface KindFolder {
  readonly name: string
  readonly directory: string
}

/** Folder that every kind imports from. */
const PLUGINS = join(import.meta.dir, '..')
const RUNTIME_ENTRY = join(import.meta.dir, 'sandbox/runtime.ts')
const SOURCES_BYTES_MAX = 4 * 1024 * 1024
const SOURCES_MAX = 1000
const LOADERS: Readonly<Record<string, Bun.Loader>> = { ts: 'ts', mts: 'ts', js: 'js', mjs: 'js', json: 'json' }
/**
 * Path prefix of an adapter's files while bundling. Bun runs macros of the code it bundles in this process, except those of installed
 * packages. The prefix makes each file look like part of a package, so no macro runs.
 */
const DISGUISE = '/node_modules'
const ENTRY = 'adapter:entry'

/**
 * Bundles the adapter in `folder` in this process. Untrusted code can exhaust the process; use `bundleInProcess` for it. With `within`, all
 * files must be inside the folder, links followed. Throws with the file and the reason.
 */
export async function bundleAdapter(folder: string, options: { within: boolean; kinds?: readonly KindFolder[] }): Promise<Bundle> {
  const root = await realpath(folder)
  // Imported only if not given: the bundling process has little time and passes the kinds.
  const kinds = options.kinds ?? (await import('../kinds.ts')).kinds
  const isOurs = (file: string) => [PLUGINS, ...kinds.map((kind) => kind.directory)].some((at) => file.startsWith(`${at}/`))
  const files = new Map<string, string>()
  let bytes = 0
  const { code, map } = await build(ENTRY, 'iife', {
    name: 'adapter',
    setup(build) {
      build.onResolve({ filter: /.*/ }, async ({ path, importer }) => {
        if (path === ENTRY) return { path, namespace: 'entry' }
        if (isOurs(importer)) return undefined
        const kind = kinds.find(({ name }) => path === `serai/${name}`)
        if (kind) return { path: join(kind.directory, 'index.ts') }
        const at = await sibling(path, importer.slice(DISGUISE.length))
        if (options.within && !at.startsWith(`${root}/`)) throw new Error(`imports ${path}, which stands outside of its folder`)
        return { path: DISGUISE + at, namespace: 'adapter' }
      })
      build.onLoad({ filter: /.*/, namespace: 'entry' }, () => ({
        contents: `import * as adapter from ${JSON.stringify(join(root, 'index.ts'))}\nmount(adapter.default)`,
        loader: 'js',
      }))
      build.onLoad({ filter: /.*/, namespace: 'adapter' }, async ({ path }) => {
        const file = path.slice(DISGUISE.length)
        const loader = LOADERS[file.split('.').at(-1)!]
        if (!loader) throw new Error(`${relative(root, file)} is neither TypeScript, JavaScript nor JSON`)
        // Checked before reading: a pipe never ends, and a file may be larger than the memory.
        const found = await stat(file)
        if (!found.isFile()) throw new Error(`${relative(root, file)} is no file`)
        bytes += found.size
        if (bytes > SOURCES_BYTES_MAX) throw new Error(`has more than ${SOURCES_BYTES_MAX} bytes of code`)
        if (files.size === SOURCES_MAX) throw new Error(`has more than ${SOURCES_MAX} files of code`)
        const contents = await Bun.file(file).text()
        files.set(relative(root, file), contents)
        return { contents, loader }
      })
    },
  })
  const hash = sha256(JSON.stringify([...files].sort(([a], [b]) => (a < b ? -1 : 1))))
  return { code: `${code}\n//# sourceURL=${sourceName(hash)}\n`, hash, map: mapFrom(root, map) }
}

/** Bundles the program that runs in every adapter's process. */
export async function bundleRuntime(): Promise<Bundle> {
  const { code } = await build(RUNTIME_ENTRY, 'esm')
  return { code, hash: sha256(code) }
}

async function build(entry: string, format: 'iife' | 'esm', plugin?: Bun.BunPlugin): Promise<{ code: string; map: string }> {
  const built = await Bun.build({
    entrypoints: [entry],
    root: '/',
    target: 'browser',
    format,
    env: 'disable',
    sourcemap: 'external',
    throw: false,
    ...(plugin && { plugins: [plugin] }),
  })
  if (built.success) {
    const [code, map] = await Promise.all(built.outputs.map((output) => output.text()))
    return { code: code!, map: map! }
  }
  const place = (position: BuildMessage['position']) => (position?.line ? ` (${position.file.replace(DISGUISE, '')}:${position.line})` : '')
  throw new Error(built.logs.map(({ message, position }) => message + place(position)).join('; '))
}

/** Removes the sources from the map, and names the files as the adapter's author knows them. */
function mapFrom(root: string, map: string): string {
  const { sources, mappings } = JSON.parse(map) as { sources: string[]; mappings: string }
  const own = `adapter:${DISGUISE}`
  const named = sources.map((source) => (source.startsWith(own) ? relative(root, source.slice(own.length)) : HOST_SOURCE_PREFIX + source))
  return JSON.stringify({ version: 3, sources: named, names: [], mappings })
}

/** Resolves a relative import, links followed. Rejects all other imports: the runtime would give access to files and sockets. */
async function sibling(path: string, importer: string): Promise<string> {
  if (!/^\.{0,2}\//.test(path)) throw new Error(`imports ${path}; an adapter reaches the world through context.fetch alone`)
  const plain = path.startsWith('/') ? path : join(dirname(importer), path)
  for (const at of [plain, `${plain}.ts`, `${plain}/index.ts`]) if (await Bun.file(at).exists()) return realpath(at)
  throw new Error(`imports ${path}, which is not there`)
}
