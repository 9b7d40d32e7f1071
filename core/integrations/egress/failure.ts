import { HOST_FAILURE } from '../../../plugins/adapter.ts'
import type { Kind } from '../../../plugins/kind.ts'

export type FailureReason = 'refused' | 'unauthorized' | 'rate_limited' | 'not_found' | 'unavailable' | 'timeout'

/** Why an adapter, or its other side, did not do it. `sent`: the other side may have acted all the same. */
export class AdapterFailure extends Error {
  override readonly name = HOST_FAILURE
  /** Of the adapter that was called; callers hear of it in that kind's words. */
  kind?: Pick<Kind, 'codes'>

  constructor(
    readonly reason: FailureReason,
    readonly sent: boolean,
    message: string,
    readonly upstream: { readonly code?: string; readonly message?: string; readonly retryAfterSeconds?: number } = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The other side was not even asked: it takes no more calls now, or has been failing. Waiting is all that helps. */
export const isHeldBack = ({ reason, sent, upstream }: AdapterFailure) =>
  !sent && (reason === 'rate_limited' || upstream.code === CIRCUIT_OPEN)

export const CIRCUIT_OPEN = 'circuit_open'
/** Code of a failure where nobody has signed in at the other side yet: nothing was asked of it. */
export const NOT_SIGNED_IN = 'not_signed_in'
