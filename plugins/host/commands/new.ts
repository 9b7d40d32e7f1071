import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { slugProblem } from '../check.ts'
import { type Command, CommandError, takenBy } from './desk.ts'

const TEMPLATE = join(import.meta.dir, '../../carrier/template')
const OWN = join(import.meta.dir, '../../../adapters/carrier')

export const newAdapter: Command = {
  takes: '<slug> [folder]',
  summary: "writes an adapter that passes its own acceptance suite; into the repository's own adapters unless a folder is named",
  count: [1, 2],
  async run(desk, slug = '', into = OWN) {
    const problem = slugProblem(slug)
    if (problem) throw new CommandError(`The slug ${problem}.`)
    const folder = join(resolve(into), slug)
    if (existsSync(folder)) throw new CommandError(`${folder} is there already. Choose another slug, or name another folder.`)
    const holder = await takenBy(desk, slug)
    if (holder) throw new CommandError(`"${slug}" is the slug of ${holder}. Choose another.`)
    await mkdir(folder, { recursive: true }).catch((error: Error) => {
      throw new CommandError(`${folder} cannot be made (${error.message}). Name a folder that can be written to.`)
    })
    const label = slug
      .split('-')
      .filter(Boolean)
      .map((word) => word[0]!.toUpperCase() + word.slice(1))
      .join(' ')
    for (const name of await readdir(TEMPLATE)) {
      const text = await Bun.file(join(TEMPLATE, name)).text()
      await Bun.write(join(folder, name), renamed(text, slug, label))
    }
    if (resolve(into) !== OWN) await Bun.write(join(folder, 'tsconfig.json'), typesFrom(folder))
    desk.say(`Wrote ${folder}\n\nbun run serai adapter dev ${relative(process.cwd(), folder) || '.'}    # runs the suite at every change`)
  },
}

const renamed = (text: string, slug: string, label: string) =>
  text
    .replaceAll("slug: 'example'", `slug: '${slug}'`)
    .replaceAll("label = 'Example'", `label = '${label}'`)
    .replaceAll('# Example', `# ${label}`)
    .replaceAll('integrations/example/', `integrations/${slug}/`)

/** An editor finds the contract, and the types of what the simulator uses, where this server stands. */
function typesFrom(folder: string): string {
  const from = (path: string) => relative(folder, join(import.meta.dir, '../../..', path))
  const paths = { 'serai/carrier': [from('plugins/carrier/index.ts')], 'serai/carrier/acceptance': [from('plugins/carrier/acceptance.ts')] }
  const compilerOptions = {
    target: 'ESNext',
    module: 'Preserve',
    moduleResolution: 'bundler',
    strict: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    typeRoots: [from('node_modules')],
    types: ['bun-types'],
    paths,
  }
  return `${JSON.stringify({ compilerOptions, include: ['*.ts'] }, null, 2)}\n`
}
