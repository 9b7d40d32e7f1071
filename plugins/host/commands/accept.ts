import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { accept, asTable } from '../../carrier/accept.ts'
import type { Rig } from '../../carrier/acceptance.ts'
import type { Carrier } from '../../carrier/contract.ts'
import { bundleApart } from '../bundle-apart.ts'
import { type Command, CommandError, type Desk } from './desk.ts'

export const acceptCommand: Command = {
  takes: '<folder>',
  summary: 'runs the acceptance suite against the simulator that the folder brings (rig.ts), in a process as it will serve',
  help: 'rig.ts and the simulator run unconfined, as programs of yours: run it on what you wrote or read.',
  count: [1, 1],
  async run(desk, target) {
    const folder = await folderOf(target!)
    const carriers = await sandboxed(desk, folder)
    const rigOf = await rigIn(folder)
    let failed = 0
    for (const carrier of carriers) {
      const accepted = await accept(carrier, rigOf)
      desk.say(asTable(accepted))
      failed += accepted.results.filter(({ outcome }) => outcome === 'failed').length
    }
    if (failed > 0) throw new CommandError(`${failed} ${failed === 1 ? 'case' : 'cases'} failed.`)
  },
}

export async function folderOf(target: string): Promise<string> {
  const folder = resolve(target)
  if (!existsSync(join(folder, 'index.ts'))) throw new CommandError(`${folder} has no index.ts; name the folder of an adapter.`)
  return realpath(folder)
}

async function sandboxed({ sandbox }: Desk, folder: string): Promise<Carrier[]> {
  const bundle = await bundleApart(folder)
  return sandbox.carriers(bundle, await sandbox.inspect(bundle))
}

const ENTRIES: Readonly<Record<string, string>> = {
  'serai/carrier': join(import.meta.dir, '../../carrier/index.ts'),
  'serai/carrier/acceptance': join(import.meta.dir, '../../carrier/acceptance.ts'),
}

/** The other side is its author's own code and runs here, unconfined: it opens sockets. */
async function rigIn(folder: string): Promise<(carrier: Carrier) => Rig> {
  const file = join(folder, 'rig.ts')
  if (!existsSync(file))
    throw new CommandError(
      `${folder} has no rig.ts. It exports \`rig(carrier)\`, the other side to test against; "bun run new:adapter" writes one.`,
    )
  Bun.plugin({
    name: 'serai for rigs',
    setup: (build) => void build.onResolve({ filter: /^serai\/carrier(\/acceptance)?$/ }, ({ path }) => ({ path: ENTRIES[path]! })),
  })
  const { rig } = (await import(file)) as { rig?: unknown }
  if (typeof rig !== 'function') throw new CommandError(`${file} must export a function \`rig\`.`)
  return rig as (carrier: Carrier) => Rig
}
