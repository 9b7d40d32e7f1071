import { HOST_FAILURE } from '../../../plugins/adapter.ts'
import type { Kind } from '../../../plugins/kind.ts'

/** Category of a failed adapter call. */
export type FailureReason = 'refused' | 'unauthorized' | 'rate_limited' | 'not_found' | 'unavailable' | 'timeout'

/** Failure of an adapter or of its provider. `sent`: the provider may have acted all the same. */
export class AdapterFailure extends Error {
  override readonly name = HOST_FAILURE
  /** Kind of the adapter that was called; API errors use its codes. */
  kind?: Pick<Kind, 'codes'>

  constructor(
    readonly reason: FailureReason,
    readonly wasSent: boolean,
    message: string,
    readonly upstream: { readonly code?: string; readonly message?: string; readonly retryAfterSeconds?: number } = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Returns true if the call did not leave, because of a rate limit or an open circuit. Only waiting helps. */
export const isThrottled = ({ reason, wasSent: sent, upstream }: AdapterFailure) =>
  !sent && (reason === 'rate_limited' || upstream.code === CIRCUIT_OPEN)

/** Upstream code of a call that an open circuit rejected. */
export const CIRCUIT_OPEN = 'circuit_open'
/** Upstream code of a call that did not leave, since no user has signed in at the provider yet. */
export const NOT_SIGNED_IN = 'not_signed_in'
