import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { accept, asTable, type Opening, type Suite } from '../../acceptance/accept.ts'
import type { Adapter } from '../../adapter.ts'
import type { Kind } from '../../kind.ts'
import { bundleApart } from '../bundle-apart.ts'
import { kindOf } from '../check.ts'
import type { Hear } from '../sandbox/sandbox.ts'
import { refreshTypes, typeErrors } from './check-types.ts'
import { type Command, CommandError, type Desk } from './desk.ts'

/** Different lines that an adapter logged, printed or threw, each told once with how often it came. */
const HEARD_MAX = 60
const HEARD_LENGTH = 400

export const acceptCommand: Command = {
  takes: '<folder>',
  summary:
    'checks the types, and runs the acceptance suite of its kind against the simulator that the folder brings (rig.ts), in a process as it will serve',
  help: 'Below the cases stands what the adapter logged, printed and threw, with how often. rig.ts and the simulator run unconfined, as programs of yours: run it on what you wrote or read.',
  count: [1, 1],
  async run(desk, target = '') {
    const folder = await folderOf(target)
    if (await refreshTypes(folder, desk.sandbox.kinds)) desk.say('Wrote tsconfig.json and tsconfig.rig.json anew: they led nowhere.')
    const isChecked = desk.chosen.types !== 'unchecked'
    const checked = isChecked ? typeErrors(folder, desk.sandbox.kinds) : []
    const heard = new Map<string, number>()
    const adapters = await sandboxed(desk, folder, (member, words) => {
      const line = `${member} ${words.slice(0, HEARD_LENGTH)}`
      heard.set(line, (heard.get(line) ?? 0) + 1)
    })
    const rigOf = await rigIn(folder, desk.sandbox.kinds)
    let failed = 0
    for (const adapter of adapters) {
      const accepted = await accept(await suiteOf(adapter, desk.sandbox.kinds), adapter, rigOf)
      desk.say(asTable(accepted))
      for (const [line, times] of [...heard].slice(0, HEARD_MAX)) desk.say(`  ${times}× ${line}`)
      heard.clear()
      failed += accepted.results.filter(({ outcome }) => outcome === 'failed').length
    }
    const wrong = await checked
    if (wrong === null) desk.say('  – types (TypeScript is not installed here)')
    else if (isChecked && wrong.length === 0) desk.say('  ✓ types')
    for (const line of wrong ?? []) desk.say(`  ✗ types (${line})`)
    if (failed > 0) throw new CommandError(`${failed} ${failed === 1 ? 'case' : 'cases'} failed.`)
    if (wrong !== null && wrong.length > 0) throw new CommandError('The types do not hold.')
  },
}

export async function folderOf(target: string): Promise<string> {
  const folder = resolve(target)
  if (!existsSync(join(folder, 'index.ts'))) throw new CommandError(`${folder} has no index.ts; name the folder of an adapter.`)
  return realpath(folder)
}

async function sandboxed({ sandbox }: Desk, folder: string, hear: Hear): Promise<Adapter[]> {
  const bundle = await bundleApart(folder, sandbox.kinds)
  return sandbox.adapters(bundle, await sandbox.inspect(bundle), hear)
}

/** Loaded when it is run, and not before: nobody else needs it. */
async function suiteOf(adapter: Adapter, kinds: readonly Kind[]): Promise<Suite<Adapter, Opening>> {
  const home = kindOf(adapter, kinds)?.home ?? ''
  const { acceptance } = (await import(join(home, 'acceptance.ts'))) as { acceptance: Suite<Adapter, Opening> }
  return acceptance
}

/** What a rig imports by these names, wherever it stands. */
const entriesOf = (kinds: readonly Kind[]) =>
  new Map(
    kinds.flatMap(({ name, home }) => [
      [`serai/${name}`, join(home, 'index.ts')],
      [`serai/${name}/acceptance`, join(home, 'acceptance.ts')],
    ]),
  )

/** The other side is its author's own code and runs here, unconfined: it opens sockets. */
async function rigIn(folder: string, kinds: readonly Kind[]): Promise<(adapter: Adapter) => Opening> {
  const file = join(folder, 'rig.ts')
  if (!existsSync(file))
    throw new CommandError(
      `${folder} has no rig.ts. It exports \`rig(adapter)\`, the other side to test against; "bun run new:adapter" writes one.`,
    )
  const entries = entriesOf(kinds)
  Bun.plugin({
    name: 'serai for rigs',
    setup(build) {
      build.onResolve({ filter: /^serai\/[a-z]+(\/acceptance)?$/ }, ({ path }) => {
        const at = entries.get(path)
        return at === undefined ? undefined : { path: at }
      })
    },
  })
  const { rig } = (await import(file)) as { rig?: unknown }
  if (typeof rig !== 'function') throw new CommandError(`${file} must export a function \`rig\`.`)
  return rig as (adapter: Adapter) => Opening
}
