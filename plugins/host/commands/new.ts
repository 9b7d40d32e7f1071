import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { type Command, CommandError } from './desk.ts'

const TEMPLATE = join(import.meta.dir, '../../carrier/template')
const OWN = join(import.meta.dir, '../../../adapters/carrier')
const SLUG = /^[a-z][a-z0-9-]{1,39}$/

export const newAdapter: Command = {
  takes: '<slug> [folder]',
  summary: "writes an adapter that passes its own acceptance suite; into the repository's own adapters unless a folder is named",
  count: [1, 2],
  async run(desk, slug = '', into = OWN) {
    if (!SLUG.test(slug)) throw new CommandError(`"${slug}" is no slug: lower-case letters, digits and hyphens, 2 to 40 of them.`)
    const folder = join(resolve(into), slug)
    if (existsSync(folder)) throw new CommandError(`${folder} is there already.`)
    await mkdir(folder, { recursive: true })
    const label = slug
      .split('-')
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
