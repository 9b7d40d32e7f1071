import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { accept, countOutcomes, formatResults } from '../../../plugins/acceptance/accept.ts'
import { acceptance, type Rig } from '../../../plugins/connector/acceptance.ts'
import { type ConnectorAdapter, connector } from '../../../plugins/connector/kind.ts'
import template from '../../../plugins/connector/template/index.ts'
import { rig as templateRig } from '../../../plugins/connector/template/rig.ts'
import { bundleAdapter } from '../../../plugins/host/bundle.ts'
import { openSandbox, type Sandbox } from '../../../plugins/host/sandbox/sandbox.ts'
import { isAdapterOfKind } from '../../../plugins/kind.ts'
import { scratchFolder } from '../../support/scratch.ts'

type RigOf = (platform: ConnectorAdapter) => Rig

const adaptersFolder = join(import.meta.dir, '../../../adapters/connector')
const named = (pattern: string, cwd: string) => [...new Bun.Glob(pattern).scanSync({ cwd })].map((file) => file.split('/')[0] ?? '').sort()
const folders = named('*/index.ts', adaptersFolder)

test('every platform has another side to be tested against', () => {
  expect(folders).toEqual(named('*/rig.ts', import.meta.dir))
})

const rigOf = async (folder: string) => ((await import(`./${folder}/rig.ts`)) as { rig: RigOf }).rig
const inProcess = async (folder: string) =>
  ((await import(`${adaptersFolder}/${folder}/index.ts`)) as { default: ConnectorAdapter }).default

let sandbox: Sandbox | undefined
afterAll(() => sandbox?.close())
async function sandboxed(folder: string): Promise<ConnectorAdapter> {
  sandbox ??= openSandbox({ folder: await scratchFolder(), processes: 100, memoryMb: 64, report: (_, words) => console.error(words) })
  const bundle = await bundleAdapter(join(adaptersFolder, folder), { within: true })
  const [adapter] = sandbox.adapters(bundle, await sandbox.inspect(bundle)).filter((one) => isAdapterOfKind(connector, one))
  if (!adapter) throw new Error(`${folder} has no platform.`)
  return adapter
}

async function assertAccepted(platform: ConnectorAdapter, rig: RigOf) {
  const accepted = await accept(acceptance, platform, rig)
  if (countOutcomes(accepted, 'failed') > 0) throw new Error(formatResults(accepted))
  expect(countOutcomes(accepted, 'passed')).toBeGreaterThan(11)
}

describe.each(folders)('%s passes what every platform of shops passes', (folder) => {
  test('in process', async () => assertAccepted(await inProcess(folder), await rigOf(folder)), 60_000)
  test('in a process of its own', async () => assertAccepted(await sandboxed(folder), await rigOf(folder)), 60_000)
})

test('template: the adapter that `adapter new` writes passes the acceptance suite', () => assertAccepted(template, templateRig), 60_000)
