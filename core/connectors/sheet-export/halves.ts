import { AdapterFailure } from '../../integrations/egress/failure.ts'

const CALLS_MAX = 30
/** Who refuses two of them alone and has taken none refuses all. */
const SURE = 2

export interface Heard<V> {
  /** Those that were refused alone. */
  readonly refused: readonly V[]
  /** Those that were refused with others, and not asked for again. */
  readonly left: readonly V[]
  /** The last refusal. */
  readonly why: AdapterFailure | undefined
}

/** Asks for all of them at once, and in halves for what was refused: none is refused for another's fault, as far as that goes. */
export async function inHalves<V>(all: readonly V[], ask: (part: readonly V[]) => Promise<void>): Promise<Heard<V>> {
  const parts = [all]
  const refused: V[] = []
  let why: AdapterFailure | undefined
  let isTaken = false
  for (let calls = 0; calls < CALLS_MAX && (isTaken || refused.length < SURE); calls += 1) {
    const part = parts.pop()
    if (!part) break
    try {
      await ask(part)
      isTaken = true
    } catch (error) {
      if (!isRefusal(error)) throw error
      why = error
      const middle = Math.ceil(part.length / 2)
      if (part.length === 1) refused.push(...part)
      else parts.push(part.slice(middle), part.slice(0, middle))
    }
  }
  return { refused, left: parts.flat(), why }
}

const isRefusal = (error: unknown): error is AdapterFailure =>
  error instanceof AdapterFailure && (error.reason === 'refused' || error.reason === 'not_found')
