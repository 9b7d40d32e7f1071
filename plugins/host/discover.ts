import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Carrier } from '../carrier/contract.ts'
import * as contract from '../carrier/contract.ts'
import { problemsOf } from './check.ts'

export interface Rejected {
  readonly folder: string
  readonly reason: string
}

export interface Discovered {
  readonly carriers: readonly Carrier[]
  readonly rejected: readonly Rejected[]
}

/** A root may be one adapter, hold adapters, or hold kinds of them. */
const ENTRIES = ['index.ts', '*/index.ts', 'carrier/*/index.ts'].map((pattern) => new Bun.Glob(pattern))

/** A folder outside this repository finds `serai/carrier` here, not in a node_modules of its own. */
Bun.plugin({
  name: 'serai',
  setup(build) {
    build.module('serai/carrier', () => ({ exports: contract, loader: 'object' }))
  },
})

/** Loads `<root>/carrier/<slug>/index.ts` of every root, anew each time. One broken adapter never stops the others. */
export async function discover(roots: readonly string[], enabled: readonly string[]): Promise<Discovered> {
  const carriers: Carrier[] = []
  const rejected: Rejected[] = []
  for (const entry of await entries(roots)) {
    try {
      for (const carrier of await load(entry)) {
        if (carriers.some((other) => other.slug === carrier.slug)) throw new Error(`another adapter has the slug "${carrier.slug}"`)
        if (enabled.length === 0 || enabled.includes(carrier.slug)) carriers.push(carrier)
      }
    } catch (error) {
      rejected.push({ folder: dirname(entry), reason: reasonOf(error) })
    }
  }
  return { carriers, rejected }
}

async function entries(roots: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const root of roots) {
    if (!existsSync(root)) continue
    const cwd = await realpath(root)
    for (const glob of ENTRIES) found.push(...(await Array.fromAsync(glob.scan({ cwd, absolute: true }))).sort())
  }
  return [...new Set(found)]
}

async function load(entry: string): Promise<Carrier[]> {
  forget(dirname(entry))
  const { default: exported } = (await import(entry)) as { default?: unknown }
  const definitions = Array.isArray(exported) ? exported : [exported]
  for (const definition of definitions) {
    const problems = problemsOf(definition)
    if (problems.length > 0) throw new Error(problems.join('; '))
  }
  return definitions as Carrier[]
}

/** A module is remembered by its file, its imports by theirs: all of the folder is forgotten, so that a change is seen whole. */
function forget(folder: string) {
  for (const file of Object.keys(require.cache)) if (file.startsWith(`${folder}/`)) delete require.cache[file]
}

/** Messages of the bundler come as an aggregate; the first says it. */
function reasonOf(error: unknown): string {
  const errors = (error as { errors?: unknown[] }).errors
  return String((errors?.[0] as Error | undefined)?.message ?? (error as Error | null)?.message ?? error)
}
