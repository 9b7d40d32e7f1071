import { existsSync } from 'node:fs'
import { cp, lstat, mkdir, rename, rm } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { bundleInProcess } from '../bundle-in-process.ts'
import { INSTALLED_FOLDER } from '../discover.ts'
import { resolveAdapterFolder } from './accept.ts'
import { type Command, CommandError, inspectAdapter } from './command-context.ts'
import { printReport } from './inspect.ts'

const PACKAGE = /^(@[a-z0-9][a-z0-9._~-]*\/)?[a-z0-9][a-z0-9._~-]*(@[a-z0-9^~*][a-z0-9.^~*+-]*)?$/i

/** Copies an adapter from a folder or an npm package into the data folder. */
export const addCommand: Command = {
  takes: '<folder|npm package[@version]>',
  summary: 'copies an adapter into the data folder, where it waits for approval',
  count: [1, 1],
  async run(desk, source) {
    const scratch = join(desk.folder, 'passing', crypto.randomUUID())
    await mkdir(scratch, { recursive: true })
    try {
      const isPath = isFolder(source!)
      const from = isPath ? await resolveAdapterFolder(source!) : await fetchPackage(source!, scratch)
      // Folders whose name begins with a dot are not searched.
      const name = (isPath ? basename(from) : packageName(source!).replace('/', '-')).replace(/^\.*/, '')
      if (!existsSync(join(from, 'index.ts'))) throw new CommandError(`The package ${source} has no index.ts, so it is not an adapter.`)
      const copy = join(scratch, 'copy')
      await cp(from, copy, { recursive: true, filter: (path) => isOfAdapter(from, path) })
      // Inspected before it replaces an earlier copy: what cannot be used is not stored.
      await desk.sandbox.inspect(await bundleInProcess(copy, desk.sandbox.kinds))
      const target = join(desk.folder, INSTALLED_FOLDER, name)
      await mkdir(join(desk.folder, INSTALLED_FOLDER), { recursive: true })
      await rm(target, { recursive: true, force: true })
      await rename(copy, target)
      printReport(desk, await inspectAdapter(desk, target))
      desk.say(`Added. Run "serai adapter approve ${target}" to enable it.`)
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  },
}

const isFolder = (source: string) => /^[./]/.test(source) || existsSync(source)
const packageName = (spec: string) => spec.replace(/(?<=.)@.*$/, '')
/** Returns true for the adapter's own files: no other packages, no hidden files, no links. */
async function isOfAdapter(home: string, path: string): Promise<boolean> {
  if (/(^|\/)(node_modules|\.[^/]*)$/.test(relative(home, path))) return false
  const found = await lstat(path)
  return found.isDirectory() || found.isFile()
}

/** Downloads a package from the registry that Bun is configured with. No script of a package runs. */
async function fetchPackage(spec: string, folder: string): Promise<string> {
  if (!PACKAGE.test(spec)) throw new CommandError(`"${spec}" is neither a folder nor the name of a package.`)
  await Bun.write(join(folder, 'package.json'), '{"private":true}')
  const child = Bun.spawn([process.execPath, 'add', '--ignore-scripts', '--no-save', spec], {
    cwd: folder,
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const said = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new CommandError(`${spec} could not be fetched: ${said.trim().split('\n').at(-1)}`)
  return join(folder, 'node_modules', packageName(spec))
}
