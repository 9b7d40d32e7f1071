import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Adapter } from '../../plugins/adapter.ts'
import { bundleAdapter } from '../../plugins/host/bundle.ts'

/** By the sort of fault: in a file of an adapter, what stands there, and what stands there instead. */
export type Mutations = Readonly<Record<string, readonly Mutation[]>>
export type Mutation = readonly [adapter: string, file: string, find: string, replace: string]

/** Of several tables one, sort by sort. */
export const together = (...tables: readonly Mutations[]): Mutations =>
  Object.fromEntries(
    [...Map.groupBy(tables.flatMap(Object.entries<readonly Mutation[]>), ([sort]) => sort)].map(([sort, own]) => [
      sort,
      own.flatMap(([, some]) => some),
    ]),
  )

/** A kind, and the faults that are planted into its adapters. */
export interface Planting {
  readonly kind: string
  readonly mutations: Mutations
  /** The sorts that are looked for from the end of its suite. */
  readonly isLate?: (sort: string) => boolean
  /** Of so many sorts one fault is planted in every run. */
  readonly usually: number
  readonly atLeast: { readonly sorts: number; readonly faults: number }
}

/** The folder of a kind's adapters. */
export const adaptersOf = (kind: string) => join(import.meta.dir, '../../adapters', kind)

/** A file of an adapter with its fault. Throws where what is to be replaced does not stand there once: the adapter has changed since. */
export async function faultyText(kind: string, [adapter, file, find, replace]: Mutation): Promise<string> {
  const parts = (await Bun.file(join(adaptersOf(kind), adapter, file)).text()).split(find)
  if (parts.length !== 2) throw new Error(`${adapter}/${file} has ${parts.length - 1} times: ${find}`)
  return parts.join(replace)
}

/** The adapters of a folder with one fault in it. It is copied first: nothing in the tree is ever touched. */
export async function planted(kind: string, mutation: Mutation): Promise<Adapter[]> {
  const [adapter, file] = mutation
  const text = await faultyText(kind, mutation)
  const folder = await mkdtemp(join(tmpdir(), 'serai-mutation-'))
  try {
    await cp(join(adaptersOf(kind), adapter), folder, { recursive: true })
    await Bun.write(join(folder, file), text)
    const { code } = await bundleAdapter(folder, { within: true })
    return mounted(code)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** As a process of an adapter takes it. */
function mounted(code: string): Adapter[] {
  let exported: unknown
  new Function('mount', code)((value: unknown) => {
    exported = value
  })
  return [exported].flat() as Adapter[]
}
