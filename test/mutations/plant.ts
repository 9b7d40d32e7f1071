import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Adapter } from '../../plugins/adapter.ts'
import { bundleAdapter } from '../../plugins/host/bundle.ts'

/** Mutations by kind of fault. A mutation replaces the text `find` in a file of an adapter by `replace`. */
export type Mutations = Readonly<Record<string, readonly Mutation[]>>
export type Mutation = readonly [adapter: string, file: string, find: string, replace: string]

/** Merges tables, kind of fault by kind of fault. */
export const mergeMutations = (...tables: readonly Mutations[]): Mutations =>
  Object.fromEntries(
    [...Map.groupBy(tables.flatMap(Object.entries<readonly Mutation[]>), ([sort]) => sort)].map(([sort, own]) => [
      sort,
      own.flatMap(([, some]) => some),
    ]),
  )

/** A kind of adapter, and the faults that are planted into its adapters. */
export interface Planting {
  readonly kind: string
  readonly mutations: Mutations
  /** Kinds of fault that cases near the end of the suite catch; the suite is then run from its end. */
  readonly isLate?: (sort: string) => boolean
  /** Number of kinds of fault of which `MUTATIONS=usual` plants one fault each. */
  readonly sampleSize: number
  readonly atLeast: { readonly sorts: number; readonly faults: number }
}

/** The folder of a kind's adapters. */
export const adaptersOf = (kind: string) => join(import.meta.dir, '../../adapters', kind)

/** Returns a file of an adapter with its fault. Throws if the text to replace is not there exactly once, since the adapter has changed. */
export async function faultyText(kind: string, [adapter, file, find, replace]: Mutation): Promise<string> {
  const parts = (await Bun.file(join(adaptersOf(kind), adapter, file)).text()).split(find)
  if (parts.length !== 2) throw new Error(`${adapter}/${file} has this text ${parts.length - 1} times instead of once: ${find}`)
  return parts.join(replace)
}

/** Loads the adapters of a folder with one fault. Copies the folder first, so that the sources stay unchanged. */
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

/** Evaluates bundled code in the way that an adapter's process does. */
function mounted(code: string): Adapter[] {
  let exported: unknown
  new Function('mount', code)((value: unknown) => {
    exported = value
  })
  return [exported].flat() as Adapter[]
}
