import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Carrier } from '../carrier/contract.ts'
import { problemsOf } from './check.ts'

export interface Rejected {
  readonly folder: string
  readonly reason: string
}

export interface Found {
  readonly folder: string
  readonly carrier: Carrier
}

export interface Discovered {
  readonly found: readonly Found[]
  readonly rejected: readonly Rejected[]
}

const CONTRACT_ENTRY = join(import.meta.dir, '../carrier/contract.ts')
/** A root may be one adapter, hold adapters, or hold kinds of them. */
const ENTRIES = ['index.ts', '*/index.ts', 'carrier/*/index.ts'].map((pattern) => new Bun.Glob(pattern))

/** Loads `<root>/carrier/<slug>/index.ts` of every root, anew each time. One broken adapter never stops the others. */
export async function discover(roots: readonly string[], enabled: readonly string[]): Promise<Discovered> {
  const found: Found[] = []
  const rejected: Rejected[] = []
  for (const entry of await entries(roots)) {
    try {
      for (const carrier of await load(entry)) {
        if (found.some((other) => other.carrier.slug === carrier.slug)) throw new Error(`another adapter has the slug "${carrier.slug}"`)
        if (enabled.length === 0 || enabled.includes(carrier.slug)) found.push({ folder: dirname(entry), carrier })
      }
    } catch (error) {
      rejected.push({ folder: dirname(entry), reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return { found, rejected }
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

/** Bundled to one module in memory, so that a change of any of its files is seen whole, and a folder anywhere finds the contract. */
async function load(entry: string): Promise<Carrier[]> {
  const built = await Bun.build({ entrypoints: [entry], target: 'bun', throw: false, plugins: [imports] })
  if (!built.success)
    throw new Error(
      built.logs.map(({ message, position }) => `${message}${position ? ` (${position.file}:${position.line})` : ''}`).join('; '),
    )
  const code = await built.outputs[0]!.text()
  refuseOtherImports(code)
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
  try {
    const { default: exported } = (await import(url)) as { default?: unknown }
    return checked(Array.isArray(exported) ? exported : [exported])
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** What the bundle did not take in is none of the adapter's: the runtime, and through it files, processes and sockets. */
function refuseOtherImports(code: string) {
  const [other] = new Bun.Transpiler({ loader: 'js' }).scanImports(code)
  if (other) throw new Error(`imports ${other.path}; an adapter reaches the world through context.fetch alone`)
}

/** The contract stands in this server, wherever the adapter stands. */
const imports: Bun.BunPlugin = {
  name: 'adapter imports',
  setup(build) {
    build.onResolve({ filter: /^serai\/carrier$/ }, () => ({ path: CONTRACT_ENTRY }))
  },
}

function checked(definitions: readonly unknown[]): Carrier[] {
  for (const definition of definitions) {
    const problems = problemsOf(definition)
    if (problems.length > 0) throw new Error(problems.join('; '))
  }
  return definitions as Carrier[]
}
