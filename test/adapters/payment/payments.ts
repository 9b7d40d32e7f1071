import { afterAll } from 'bun:test'
import { existsSync } from 'node:fs'
import { bundleAdapter } from '../../../plugins/host/bundle.ts'
import { openSandbox, type Sandbox } from '../../../plugins/host/sandbox/sandbox.ts'
import { isAdapterOfKind } from '../../../plugins/kind.ts'
import type { Rig } from '../../../plugins/payment/acceptance.ts'
import { payment as kind, type PaymentAdapter } from '../../../plugins/payment/kind.ts'
import { scratchFolder } from '../../support/scratch.ts'

const adaptersFolder = `${import.meta.dir}/../../../adapters/payment`
const testsFolder = import.meta.dir

const named = (pattern: string, cwd: string) => [...new Bun.Glob(pattern).scanSync({ cwd })].sort()

/** A folder of a gateway, and what it is tested against. */
export interface Tested {
  readonly folder: string
  readonly rigOf: (gateway: PaymentAdapter) => Rig
}

export const folders = named('*/index.ts', adaptersFolder).map((file) => file.split('/')[0]!)
/** Those with another side: here, or in a rig of their own, as a new one has it. */
export const rigged = [testsFolder, adaptersFolder].flatMap((folder) => named('*/rig.ts', folder).map((file) => file.split('/')[0]!)).sort()

export async function tested(folder: string): Promise<Tested> {
  const own = `${adaptersFolder}/${folder}/rig.ts`
  const { rig: rigOf } = (await import(existsSync(own) ? own : `${testsFolder}/${folder}/rig.ts`)) as { rig: Tested['rigOf'] }
  return { folder, rigOf }
}

/** As it is imported. */
export async function inProcess(folder: string): Promise<PaymentAdapter> {
  const { default: gateway } = (await import(`${adaptersFolder}/${folder}/index.ts`)) as { default: PaymentAdapter }
  return gateway
}

let sandbox: Sandbox | undefined
afterAll(() => sandbox?.close())

/** As those from elsewhere are run: the proxy of one that has a process of its own. */
export async function sandboxed(folder: string): Promise<PaymentAdapter> {
  const report = (_: unknown, words: unknown) => console.error(words)
  sandbox ??= openSandbox({ folder: await scratchFolder(), processes: 100, memoryMb: 64, report })
  const bundle = await bundleAdapter(`${adaptersFolder}/${folder}`, { within: true })
  const [gateway] = sandbox.adapters(bundle, await sandbox.inspect(bundle)).filter((adapter) => isAdapterOfKind(kind, adapter))
  if (!gateway) throw new Error(`${folder} has no gateway.`)
  return gateway
}
