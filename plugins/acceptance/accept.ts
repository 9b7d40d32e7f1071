import type { Adapter, Awaitable } from '../adapter.ts'
import { SkippedCase } from './checks.ts'

/** One thing that every adapter of a kind must do. It fails by throwing; a reason to skip says why it does not concern this one. */
export interface Case {
  readonly name: string
  readonly skip?: string
  run(): Promise<void>
}

/** What any kind's suite is played against, as far as it is run here. */
export interface Opening {
  open(options?: { readonly connectionId?: string }): unknown
  /** Ends the other side. */
  close?(): unknown
}

/** What an adapter is accepted by, whoever wrote it. The same cases in the same order, however often it is asked. */
export type Suite<A, R> = (adapter: A, rig: R) => Case[]

export interface CaseResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed, or does not concern this adapter. */
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

/** Runs a suite, or the cases that are wanted of it, many at once, each against another side of its own. */
export async function accept<A extends Adapter, R extends Opening>(
  suite: Suite<A, R>,
  adapter: A,
  rigOf: (adapter: A) => Awaitable<R>,
  isWanted: (name: string) => boolean = () => true,
): Promise<Accepted> {
  const began = performance.now()
  const wanted = (await casesOf(suite, adapter, rigOf)).map(({ name }, at) => ({ name, at })).filter(({ name }) => isWanted(name))
  const results: CaseResult[] = []
  const waiting = wanted.entries()
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (const [place, { at }] of waiting)
      results[place] = await withRig(adapter, rigOf, (rig) => runCase(suite(adapter, connectedAs(rig, `int_lane_${lane}`))[at]))
  })
  await Promise.all(lanes)
  return { slug: adapter.slug, results, ms: Math.round(performance.now() - began) }
}

const connectedAs = <R extends Opening>(rig: R, connectionId: string): R => ({
  ...rig,
  open: (options?: { readonly connectionId?: string }) => rig.open({ connectionId, ...options }),
})

/** What there is to run for this adapter, and what does not concern it. */
export const casesOf = <A, R extends Opening>(
  suite: Suite<A, R>,
  adapter: A,
  rigOf: (adapter: A) => Awaitable<R>,
): Promise<Pick<Case, 'name' | 'skip'>[]> => withRig(adapter, rigOf, async (rig) => suite(adapter, rig))

async function withRig<A, R extends Opening, V>(adapter: A, rigOf: (adapter: A) => Awaitable<R>, work: (rig: R) => Promise<V>): Promise<V> {
  const rig = await rigOf(adapter)
  try {
    return await work(rig)
  } finally {
    await rig.close?.()
  }
}

async function runCase(one: Case | undefined): Promise<CaseResult> {
  if (!one) throw new Error('The suite has fewer cases than it had a moment ago.')
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

/** How many cases came out so. */
export const countOf = ({ results }: Pick<Accepted, 'results'>, outcome: CaseResult['outcome']) =>
  results.filter((result) => result.outcome === outcome).length

/** What a person reads: one line a case, and the sum. */
export function asTable(accepted: Accepted): string {
  const { slug, results, ms } = accepted
  const count = (outcome: CaseResult['outcome']) => countOf(accepted, outcome)
  return [slug, ...linesOf(results), `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped, ${ms} ms`].join(
    '\n',
  )
}

/** One cause is told once, with the first case that it fails; the others that it fails are named beside it. */
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
