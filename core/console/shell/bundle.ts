import { join } from 'node:path'
import type { Rights } from './rights.ts'

/** File of the console that a browser loads, as it is sent. */
export interface Asset {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer>
}

/** Built console: its assets by file name, and the names of the two that the page starts with. */
export interface ConsoleBundle {
  readonly assets: ReadonlyMap<string, Asset>
  readonly script: string
  readonly styles: string
}

/** Path below which the assets are served. A name contains the hash of its content. */
export const ASSETS_PATH = '/console/assets/'

const ENTRY = join(import.meta.dir, '../web/main.tsx')
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

/**
 * Bundles the browser code with Bun's bundler, so that neither a build step nor a built file exists. `rights` becomes the module
 * `serai:rights`. Throws when the code does not compile.
 */
export async function bundleConsole(rights: Rights): Promise<ConsoleBundle> {
  const { outputs } = await Bun.build({
    entrypoints: [ENTRY],
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    publicPath: ASSETS_PATH,
    naming: { entry: '[name]-[hash].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    // Fonts are files of their own: the bundler would inline them into the style sheet.
    external: ['/console/fonts/*'],
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [rightsModule(rights)],
  })
  const assets = new Map<string, Asset>()
  for (const output of outputs) assets.set(nameOf(output.path), await assetOf(output))
  const entry = (kind: string, extension: string) => {
    // A page with styles of its own adds a style sheet; the one of the entry has them all.
    const found = outputs.find(({ kind: its, path }) => its === kind && nameOf(path).startsWith('main-') && path.endsWith(extension))
    if (!found) throw new Error(`The console has no ${extension} to start with.`)
    return nameOf(found.path)
  }
  return { assets, script: entry('entry-point', '.js'), styles: entry('asset', '.css') }
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

async function assetOf(output: Bun.BuildArtifact): Promise<Asset> {
  const bytes = new Uint8Array(await output.arrayBuffer())
  const extension = output.path.slice(output.path.lastIndexOf('.') + 1)
  return { type: TYPES[extension] ?? 'application/octet-stream', bytes, gzip: Bun.gzipSync(bytes, { level: 9 }) }
}

const rightsModule = (rights: Rights): Bun.BunPlugin => ({
  name: 'rights',
  setup(build) {
    build.onResolve({ filter: /^serai:rights$/ }, ({ path }) => ({ path, namespace: 'rights' }))
    build.onLoad({ filter: /.*/, namespace: 'rights' }, () => ({ contents: `export default ${JSON.stringify(rights)}`, loader: 'js' }))
  },
})
