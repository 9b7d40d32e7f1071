import { acceptance, type Case, type Rig } from './acceptance.ts'
import type { Carrier } from './contract.ts'

export interface CaseResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed, or does not concern this carrier. */
  readonly why?: string
}

export interface Accepted {
  readonly slug: string
  readonly results: readonly CaseResult[]
  readonly ms: number
}

/** No case lasts so long; one that does has failed. */
const CASE_MS = 20_000
/** Cases at once: one works on each core, and one waits. Each is a connection of its own, which may be a process. */
const LANES = Math.min(12, navigator.hardwareConcurrency + 1)

/** Runs the acceptance suite, or the cases that are wanted of it, many at once, each against another side of its own. */
export async function accept(
  carrier: Carrier,
  rigOf: (carrier: Carrier) => Rig,
  isWanted: (name: string) => boolean = () => true,
): Promise<Accepted> {
  const began = performance.now()
  const names = (await casesOf(carrier, rigOf)).map(({ name }) => name)
  const wanted = [...names.keys()].filter((at) => isWanted(names[at]!))
  const found = new Map<number, CaseResult>()
  const waiting = wanted.values()
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (const at of waiting)
      found.set(at, await withRig(carrier, rigOf, (rig) => runCase(carrier, connectedAs(rig, `int_lane_${lane}`), at)))
  })
  await Promise.all(lanes)
  return { slug: carrier.slug, results: wanted.map((at) => found.get(at)!), ms: Math.round(performance.now() - began) }
}

const connectedAs = (rig: Rig, connectionId: string): Rig => ({ ...rig, open: (options) => rig.open({ connectionId, ...options }) })

/** What there is to run for this carrier, and what does not concern it. */
export const casesOf = (carrier: Carrier, rigOf: (carrier: Carrier) => Rig): Promise<Pick<Case, 'name' | 'skip'>[]> =>
  withRig(carrier, rigOf, async (rig) => acceptance(carrier, rig))

async function withRig<V>(carrier: Carrier, rigOf: (carrier: Carrier) => Rig, work: (rig: Rig) => Promise<V>): Promise<V> {
  const rig = rigOf(carrier)
  try {
    return await work(rig)
  } finally {
    await rig.close?.()
  }
}

async function runCase(carrier: Carrier, rig: Rig, at: number): Promise<CaseResult> {
  const { name, skip, run } = acceptance(carrier, rig)[at]!
  if (skip) return { name, outcome: 'skipped', why: skip }
  const late = Bun.sleep(CASE_MS).then(() => Promise.reject(new Error(`it took longer than ${CASE_MS / 1000} s`)))
  return Promise.race([run(), late]).then(
    () => ({ name, outcome: 'passed' }),
    (error: unknown) => ({ name, outcome: 'failed', why: error instanceof Error ? error.message : String(error) }),
  )
}

const MARKS = { passed: '✓', failed: '✗', skipped: '–' } as const

/** How many cases came out so. */
export const countOf = ({ results }: Pick<Accepted, 'results'>, outcome: CaseResult['outcome']) =>
  results.filter((result) => result.outcome === outcome).length

/** What a person reads: one line a case, and the sum. */
export function asTable(accepted: Accepted): string {
  const { slug, results, ms } = accepted
  const count = (outcome: CaseResult['outcome']) => countOf(accepted, outcome)
  const lines = results.map(({ name, outcome, why }) => `  ${MARKS[outcome]} ${name}${why ? ` (${why})` : ''}`)
  return [slug, ...lines, `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped, ${ms} ms`].join('\n')
}
