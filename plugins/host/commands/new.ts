import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { Kind } from '../../kind.ts'
import { slugProblem } from '../check.ts'
import { writeTypeConfigs } from './check-types.ts'
import { type Command, type CommandContext, CommandError, findSlugOwner } from './command-context.ts'

const ROOT = join(import.meta.dir, '../../..')

/** Creates a new adapter from the template of its kind. */
export const newCommand: Command = {
  takes: '<slug> [folder] [--kind <kind>]',
  summary: "creates an adapter that passes its own acceptance suite, in the given folder or among the repository's adapters",
  help: 'Choose the kind with --kind. Without it, the first kind is used.',
  count: [1, 2],
  options: ['kind'],
  async run(desk, slug = '', given?: string) {
    const kind = chosenKind(desk)
    const own = join(ROOT, 'adapters', kind.name)
    const into = resolve(given ?? own)
    const problem = slugProblem(slug)
    if (problem) throw new CommandError(`The slug ${problem}.`)
    const folder = join(into, slug)
    if (existsSync(folder)) throw new CommandError(`${folder} already exists. Choose another slug or folder.`)
    const holder = await findSlugOwner(desk, slug)
    if (holder) throw new CommandError(`"${slug}" is the slug of ${holder}. Choose another.`)
    await mkdir(folder, { recursive: true }).catch((error: Error) => {
      throw new CommandError(`${folder} cannot be created (${error.message}). Name a folder that is writable.`)
    })
    const label = slug
      .split('-')
      .filter(Boolean)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(' ')
    const template = join(kind.directory, 'template')
    for (const name of await readdir(template)) {
      const text = await Bun.file(join(template, name)).text()
      await Bun.write(join(folder, name), fillTemplate(text, slug, label))
    }
    if (into !== own) await writeTypeConfigs(folder, desk.sandbox.kinds)
    desk.say(
      `Created ${folder}\n\nbun run serai adapter dev ${relative(process.cwd(), folder) || '.'}    # runs the suite after every change`,
    )
  },
}

function chosenKind({ chosen, sandbox }: CommandContext): Kind {
  const kinds = sandbox.kinds.filter(({ builtInOnly }) => !builtInOnly)
  const kind = chosen.kind === undefined ? kinds[0] : kinds.find(({ name }) => name === chosen.kind)
  if (kind) return kind
  throw new CommandError(`There is no kind "${chosen.kind}". There are: ${kinds.map(({ name }) => name).join(', ')}.`)
}

const fillTemplate = (text: string, slug: string, label: string) =>
  text
    .replaceAll("slug: 'example'", `slug: '${slug}'`)
    .replaceAll("label = 'Example'", `label = '${label}'`)
    .replaceAll('# Example', `# ${label}`)
    .replaceAll('integrations/example/', `integrations/${slug}/`)
