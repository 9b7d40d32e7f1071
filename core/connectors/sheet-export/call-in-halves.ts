import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'

const CALLS_MAX = 30
/** Number of single refusals, without any success, after which all other items are assumed to be refused. */
const REFUSALS_ALONE_MAX = 2

/** Result of calls that divide a list. */
export interface HalvingResult<V> {
  /** Items that were refused on their own. */
  readonly refused: readonly V[]
  /** Items that were refused together with others and not tried again. */
  readonly untried: readonly V[]
  /** Last refusal. */
  readonly why: AdapterFailure | undefined
}

/**
 * Calls with all items at once, and with halves of what was refused, so that one item does not fail the others. Makes at most 30 calls.
 * Rethrows all errors that are not refusals.
 */
export async function callInHalves<V>(all: readonly V[], ask: (part: readonly V[]) => Promise<void>): Promise<HalvingResult<V>> {
  const parts = [all]
  const refused: V[] = []
  let why: AdapterFailure | undefined
  let hasSuccess = false
  for (let calls = 0; calls < CALLS_MAX && (hasSuccess || refused.length < REFUSALS_ALONE_MAX); calls += 1) {
    const part = parts.pop()
    if (!part) break
    try {
      await ask(part)
      hasSuccess = true
    } catch (error) {
      if (!isRefusal(error)) throw error
      why = error
      const middle = Math.ceil(part.length / 2)
      if (part.length === 1) refused.push(...part)
      else parts.push(part.slice(middle), part.slice(0, middle))
    }
  }
  return { refused, untried: parts.flat(), why }
}

const isRefusal = (error: unknown): error is AdapterFailure =>
  error instanceof AdapterFailure && (error.reason === 'refused' || error.reason === 'not_found')
