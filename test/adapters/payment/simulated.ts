import type { Fault, Rig } from '../../../plugins/payment/acceptance.ts'
import type { Simulator } from '../../support/simulator/simulator.ts'

/** What every gateway's simulator has: the usual faults, and a state of its own that says how it behaves. */
interface Simulated {
  readonly faults: Simulator['faults']
  calm(): void
}

const faults: Readonly<Record<Exclude<Fault, 'redirected'>, Partial<Simulator['faults']>>> = {
  ignored: { ignore: 1 },
  no_answer: { neverAnswer: 1 },
  lost_answer: { loseAnswer: 1, how: 'close' },
  malformed: { malformed: 1 },
  mumbled: { mumbled: 1 },
  error_before: { error500: 1 },
  error_after: { error500After: 1 },
  rate_limited: { rateLimit: 1, retryAfter: 2 },
}

/** How a rig makes its simulator misbehave, and stops it. `state`: where it is told what to redirect. */
export const misbehaving = (simulator: Simulated, state: { redirects: string | undefined }): Pick<Rig, 'fail' | 'calm'> => ({
  fail(fault, calls) {
    simulator.calm()
    if (fault === 'redirected') state.redirects = calls
    else Object.assign(simulator.faults, faults[fault], { on: calls })
  },
  calm: () => simulator.calm(),
})

/** Other forms in which the same is written, by name. */
export const spelled = <S extends object>(state: S, spellings: Readonly<Record<string, Partial<S>>>): NonNullable<Rig['spellings']> =>
  Object.fromEntries(Object.entries(spellings).map(([name, spelling]) => [name, () => void Object.assign(state, spelling)]))

export const words = (value: unknown): string | null => (value === undefined ? null : String(value))
