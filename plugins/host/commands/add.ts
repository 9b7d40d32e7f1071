import { existsSync } from 'node:fs'
import { cp, lstat, mkdir, rename, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { INSTALLED } from '../registry.ts'
import { type Command, CommandError, look } from './desk.ts'
import { tell } from './inspect.ts'

const PACKAGE = /^(@[a-z0-9][a-z0-9._~-]*\/)?[a-z0-9][a-z0-9._~-]*(@[a-z0-9^~*][a-z0-9.^~*+-]*)?$/i

export const add: Command = {
  takes: '<folder|npm package[@version]>',
  summary: 'copies an adapter into the data folder, where it waits to be approved',
  count: [1, 1],
  async run(desk, source) {
    const passing = join(desk.folder, 'passing', crypto.randomUUID())
    await mkdir(passing, { recursive: true })
    try {
      const from = isFolder(source!) ? resolve(source!) : await fetchPackage(source!, passing)
      const name = isFolder(source!) ? basename(from) : packageName(source!).replace('/', '-')
      if (!existsSync(join(from, 'index.ts'))) throw new CommandError(`${source} has no index.ts: it is no adapter.`)
      const copy = join(passing, 'copy')
      await cp(from, copy, { recursive: true, filter: isOfAdapter })
      const target = join(desk.folder, INSTALLED, name)
      await mkdir(join(desk.folder, INSTALLED), { recursive: true })
      await rm(target, { recursive: true, force: true })
      await rename(copy, target)
      tell(desk, await look(desk, target))
      desk.say(`Added. "adapter approve ${target}" lets it serve.`)
    } finally {
      await rm(passing, { recursive: true, force: true })
    }
  },
}

const isFolder = (source: string) => /^[./]/.test(source) || existsSync(source)
const packageName = (spec: string) => spec.replace(/(?<=.)@.*$/, '')
/** Its own files: no other packages, nothing hidden, no links to elsewhere. */
const isOfAdapter = async (path: string) => !/\/(node_modules|\.[^/]*)$/.test(path) && !(await lstat(path)).isSymbolicLink()

/** From whatever registry Bun is set up with. No script of a package runs. */
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
