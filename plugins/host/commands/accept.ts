import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { accept, formatResults, type RigBase, type Suite } from '../../acceptance/accept.ts'
import type { Adapter } from '../../adapter.ts'
import type { Kind } from '../../kind.ts'
import { bundleInProcess } from '../bundle-in-process.ts'
import { kindOf } from '../check.ts'
import type { CallListener } from '../sandbox/sandbox.ts'
import { findTypeErrors, refreshTypeConfigs } from './check-types.ts'
import { type Command, type CommandContext, CommandError } from './command-context.ts'

/** Maximum number of distinct lines shown of what an adapter logged, printed or threw; each is shown once with its count. */
const LINES_SHOWN_MAX = 60
const LINE_LENGTH_MAX = 400

/** Runs the acceptance suite of an adapter and checks its types. */
export const acceptCommand: Command = {
  takes: '<folder>',
  summary:
    'checks the types of an adapter, and runs the acceptance suite of its kind against its simulator (rig.ts), in a sandboxed process as in production',
  help: 'Below the cases it shows what the adapter logged, printed and threw, with counts. rig.ts and the simulator run without a sandbox: use this only on code that you wrote or reviewed.',
  count: [1, 1],
  async run(desk, target = '') {
    const folder = await resolveAdapterFolder(target)
    if (await refreshTypeConfigs(folder, desk.sandbox.kinds))
      desk.say('Rewrote tsconfig.json and tsconfig.rig.json: their paths did not exist.')
    const isChecked = desk.chosen.types !== 'unchecked'
    const checked = isChecked ? findTypeErrors(folder, desk.sandbox.kinds) : []
    const lines = new Map<string, number>()
    const adapters = await loadSandboxed(desk, folder, (member, text) => {
      const line = `${member} ${text.slice(0, LINE_LENGTH_MAX)}`
      lines.set(line, (lines.get(line) ?? 0) + 1)
    })
    const rigOf = await rigIn(folder, desk.sandbox.kinds)
    let failed = 0
    for (const adapter of adapters) {
      const accepted = await accept(await suiteOf(adapter, desk.sandbox.kinds), adapter, rigOf)
      desk.say(formatResults(accepted))
      for (const [line, times] of [...lines].slice(0, LINES_SHOWN_MAX)) desk.say(`  ${times}× ${line}`)
      lines.clear()
      failed += accepted.results.filter(({ outcome }) => outcome === 'failed').length
    }
    const wrong = await checked
    if (wrong === null) desk.say('  – types (TypeScript is not installed here)')
    else if (isChecked && wrong.length === 0) desk.say('  ✓ types')
    for (const line of wrong ?? []) desk.say(`  ✗ types (${line})`)
    if (failed > 0) throw new CommandError(`${failed} ${failed === 1 ? 'case' : 'cases'} failed.`)
    if (wrong !== null && wrong.length > 0) throw new CommandError('The type check failed.')
  },
}

/** Resolves the folder of an adapter, links followed. Throws if it has no `index.ts`. */
export async function resolveAdapterFolder(target: string): Promise<string> {
  const folder = resolve(target)
  if (!existsSync(join(folder, 'index.ts'))) throw new CommandError(`${folder} has no index.ts; name the folder of an adapter.`)
  return realpath(folder)
}

async function loadSandboxed({ sandbox }: CommandContext, folder: string, hear: CallListener): Promise<Adapter[]> {
  const bundle = await bundleInProcess(folder, sandbox.kinds)
  return sandbox.adapters(bundle, await sandbox.inspect(bundle), hear)
}

/** Imports the acceptance suite of the adapter's kind. Only this command needs it. */
async function suiteOf(adapter: Adapter, kinds: readonly Kind[]): Promise<Suite<Adapter, RigBase>> {
  const home = kindOf(adapter, kinds)?.directory ?? ''
  const { acceptance } = (await import(join(home, 'acceptance.ts'))) as { acceptance: Suite<Adapter, RigBase> }
  return acceptance
}

/** Files behind the module names that a rig may import. */
const entriesOf = (kinds: readonly Kind[]) =>
  new Map(
    kinds.flatMap(({ name, directory }) => [
      [`serai/${name}`, join(directory, 'index.ts')],
      [`serai/${name}/acceptance`, join(directory, 'acceptance.ts')],
    ]),
  )

/** Imports the rig of an adapter. It runs in this process without a sandbox, since its simulator opens sockets. */
async function rigIn(folder: string, kinds: readonly Kind[]): Promise<(adapter: Adapter) => RigBase> {
  const file = join(folder, 'rig.ts')
  if (!existsSync(file))
    throw new CommandError(
      `${folder} has no rig.ts. It must export \`rig(adapter)\`, which starts the simulator; "bun run new:adapter" writes one.`,
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
  return rig as (adapter: Adapter) => RigBase
}
