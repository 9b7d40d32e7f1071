import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accept, casesOf } from '../../plugins/carrier/accept.ts'
import type { Carrier } from '../../plugins/carrier/contract.ts'
import { bundleAdapter } from '../../plugins/host/bundle.ts'
import { adaptersFolder, type Platform } from '../support/platforms.ts'

/** By the sort of fault: in a file of an adapter, what stands there, and what stands there instead. */
export type Mutations = Readonly<Record<string, readonly Mutation[]>>
export type Mutation = readonly [adapter: string, file: string, find: string, replace: string]

/** A file of an adapter with its fault. Throws where what is to be replaced does not stand there once: the adapter has changed since. */
export async function faultyText([adapter, file, find, replace]: Mutation): Promise<string> {
  const parts = (await Bun.file(join(adaptersFolder, adapter, file)).text()).split(find)
  if (parts.length !== 2) throw new Error(`${adapter}/${file} has ${parts.length - 1} times: ${find}`)
  return parts.join(replace)
}

/** The carriers of an adapter with one fault in it. It is copied first: nothing in the tree is ever touched. */
export async function planted(mutation: Mutation): Promise<Carrier[]> {
  const [adapter, file] = mutation
  const text = await faultyText(mutation)
  const folder = await mkdtemp(join(tmpdir(), 'serai-mutation-'))
  try {
    await cp(join(adaptersFolder, adapter), folder, { recursive: true })
    await Bun.write(join(folder, file), text)
    const { code } = await bundleAdapter(folder, { within: true })
    return mounted(code)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** As a process of an adapter takes it. */
function mounted(code: string): Carrier[] {
  let exported: unknown
  new Function('mount', code)((value: unknown) => {
    exported = value
  })
  return [exported].flat() as Carrier[]
}

/** So many cases are run before it is looked whether one of them failed. */
const AT_ONCE = 12
/** Waits for an answer that does not come, so it is run when nothing else has caught the fault. */
const SLOW = /after: (ignored|no answer)/

export interface Catch {
  readonly name: string
  readonly why: string
}

/** A case of the suite that a carrier fails; undefined where it passes all of them. What is `late` in the suite is looked for from its end. */
export async function caught(carrier: Carrier, rigOf: Platform['rigOf'], late: boolean): Promise<Catch | undefined> {
  const cases = (await casesOf(carrier, rigOf)).filter(({ skip }) => skip === undefined)
  const names = (late ? cases.toReversed() : cases).map(({ name }) => name).sort((a, b) => Number(SLOW.test(a)) - Number(SLOW.test(b)))
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = new Set(names.slice(at, at + AT_ONCE))
    const { results } = await accept(carrier, rigOf, (name) => some.has(name))
    const failed = results.find(({ outcome }) => outcome === 'failed')
    if (failed) return { name: failed.name, why: failed.why ?? '' }
  }
  return undefined
}
