import { afterAll } from 'bun:test'
import type { Carrier } from '../../plugins/carrier/contract.ts'
import { carrier as kind } from '../../plugins/carrier/kind.ts'
import { bundleAdapter } from '../../plugins/host/bundle.ts'
import { openSandbox, type Sandbox } from '../../plugins/host/sandbox/sandbox.ts'
import { isAdapterOfKind } from '../../plugins/kind.ts'
import { scratchFolder } from './scratch.ts'

let sandbox: Sandbox | undefined

/** The carriers of an adapter's folder; with `ADAPTER_ISOLATION=all` each is the proxy of one that runs in a process of its own. */
export async function carriersOf(folder: string): Promise<Carrier[]> {
  if (process.env.ADAPTER_ISOLATION !== 'all') {
    const { default: exported } = (await import(`${folder}/index.ts`)) as { default: Carrier | Carrier[] }
    return [exported].flat()
  }
  sandbox ??= await openOne()
  const bundle = await bundleAdapter(folder, { within: true })
  return sandbox.adapters(bundle, await sandbox.inspect(bundle)).filter((adapter) => isAdapterOfKind(kind, adapter))
}

async function openOne(): Promise<Sandbox> {
  const opened = openSandbox({ folder: await scratchFolder(), processes: 100, memoryMb: 64, report: (_, words) => console.error(words) })
  afterAll(() => opened.close())
  return opened
}
