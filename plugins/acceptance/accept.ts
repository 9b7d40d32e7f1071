import type { Adapter, Awaitable } from '../adapter.ts'
import { SkippedCase } from './checks.ts'

/** One case of an acceptance suite. It fails by throwing. `skip` is the reason why it does not apply to this adapter. */
export interface Case {
  readonly name: string
  readonly skip?: string
  run(): Promise<void>
}

/** Rig of any kind, as far as the runner needs it. */
export interface RigBase {
  open(options?: { readonly connectionId?: string }): unknown
  /** Stops the simulator. */
  close?(): unknown
}

/** Acceptance suite of a kind. It returns the same cases in the same order at every call. */
export type Suite<A, R> = (adapter: A, rig: R) => Case[]

/** Outcome of one case. */
export interface CaseResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Reason of the failure, or why the case does not apply to this adapter. */
  readonly why?: string
}

/** Outcome of a suite for one adapter. */
export interface SuiteResult {
  readonly slug: string
  readonly results: readonly CaseResult[]
  readonly ms: number
}

/** Deadline of a case in milliseconds; a case that exceeds it has failed. */
const CASE_MS = 20_000
/**
 * Number of cases that run concurrently: one works on each core, and one waits. Each has a connection of its own, which may be a process.
 */
const CONCURRENCY = Math.min(12, navigator.hardwareConcurrency + 1)

/** Runs a suite, or the cases that `isWanted` selects, several concurrently and each with a rig of its own. */
export async function accept<A extends Adapter, R extends RigBase>(
  suite: Suite<A, R>,
  adapter: A,
  rigOf: (adapter: A) => Awaitable<R>,
  isWanted: (name: string) => boolean = () => true,
): Promise<SuiteResult> {
  const began = performance.now()
  const wanted = (await listCases(suite, adapter, rigOf)).map(({ name }, at) => ({ name, at })).filter(({ name }) => isWanted(name))
  const results: CaseResult[] = []
  const waiting = wanted.entries()
  const lanes = Array.from({ length: CONCURRENCY }, async (_, lane) => {
    for (const [place, { at }] of waiting)
      results[place] = await withRig(adapter, rigOf, (rig) => runCase(suite(adapter, connectedAs(rig, `int_lane_${lane}`))[at]))
  })
  await Promise.all(lanes)
  return { slug: adapter.slug, results, ms: Math.round(performance.now() - began) }
}

const connectedAs = <R extends RigBase>(rig: R, connectionId: string): R => ({
  ...rig,
  open: (options?: { readonly connectionId?: string }) => rig.open({ connectionId, ...options }),
})

/** Lists the cases of a suite for this adapter, with the reasons of those that do not apply. */
export const listCases = <A, R extends RigBase>(
  suite: Suite<A, R>,
  adapter: A,
  rigOf: (adapter: A) => Awaitable<R>,
): Promise<Pick<Case, 'name' | 'skip'>[]> => withRig(adapter, rigOf, async (rig) => suite(adapter, rig))

async function withRig<A, R extends RigBase, V>(adapter: A, rigOf: (adapter: A) => Awaitable<R>, work: (rig: R) => Promise<V>): Promise<V> {
  const rig = await rigOf(adapter)
  try {
    return await work(rig)
  } finally {
    await rig.close?.()
  }
}

async function runCase(one: Case | undefined): Promise<CaseResult> {
  if (!one) throw new Error('The suite returned fewer cases than at its first call.')
  const { name, skip } = one
  if (skip) return { name, outcome: 'skipped', why: skip }
  const late = Bun.sleep(CASE_MS).then(() => Promise.reject(new Error(`it took longer than ${CASE_MS / 1000} s`)))
  return Promise.race([one.run(), late]).then(
    () => ({ name, outcome: 'passed' }),
    (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      return { name, outcome: error instanceof SkippedCase ? 'skipped' : 'failed', why }
    },
  )
}

const MARKS = { passed: '✓', failed: '✗', skipped: '–' } as const

/** Counts the cases with this outcome. */
export const countOutcomes = ({ results }: Pick<SuiteResult, 'results'>, outcome: CaseResult['outcome']) =>
  results.filter((result) => result.outcome === outcome).length

/** Formats the results as a table for people: one line for each case, and the totals. */
export function formatResults(accepted: SuiteResult): string {
  const { slug, results, ms } = accepted
  const count = (outcome: CaseResult['outcome']) => countOutcomes(accepted, outcome)
  return [slug, ...linesOf(results), `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped, ${ms} ms`].join(
    '\n',
  )
}

/** Formats one line for each case. Failures with the same reason are grouped under the first one. */
function linesOf(results: readonly CaseResult[]): string[] {
  const failed = Map.groupBy(
    results.filter(({ outcome }) => outcome === 'failed'),
    ({ why }) => why,
  )
  return results.flatMap(({ name, outcome, why }) => {
    const [first, ...others] = (outcome === 'failed' && failed.get(why)) || []
    if (first && first.name !== name) return []
    const line = `  ${MARKS[outcome]} ${name}${why ? ` (${why})` : ''}`
    return others.length === 0 ? [line] : [line, `    and, for the same reason: ${others.map((other) => other.name).join(', ')}`]
  })
}
