import { existsSync } from 'node:fs'
import type { Rig } from '../../plugins/carrier/acceptance.ts'
import type { Carrier } from '../../plugins/carrier/contract.ts'
import { carriersOf } from './carriers.ts'

const adaptersFolder = `${import.meta.dir}/../../adapters/carrier`
const testsFolder = `${import.meta.dir}/../adapters/carrier`

const named = (pattern: string, cwd: string) => [...new Bun.Glob(pattern).scanSync({ cwd })].sort()

/** A folder of adapters: one code, a carrier for each company that it serves, and what they are tested against. */
export interface Platform {
  readonly folder: string
  readonly carriers: readonly Carrier[]
  readonly rigOf: (carrier: Carrier) => Rig
}

export const folders = named('*/index.ts', adaptersFolder).map((file) => file.split('/')[0]!)
/** Those with another side: here, or in a rig of their own, as a new one has it. */
export const rigged = [
  ...[testsFolder, adaptersFolder].flatMap((folder) => named('*/rig.ts', folder)).map((file) => file.split('/')[0]!),
].sort()

export async function platforms(): Promise<Platform[]> {
  const found: Platform[] = []
  for (const folder of folders) {
    const own = `${adaptersFolder}/${folder}/rig.ts`
    const { rig: rigOf } = (await import(existsSync(own) ? own : `${testsFolder}/${folder}/rig.ts`)) as { rig: Platform['rigOf'] }
    found.push({ folder, rigOf, carriers: await carriersOf(`${adaptersFolder}/${folder}`) })
  }
  return found
}
