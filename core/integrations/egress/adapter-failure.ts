import { HOST_FAILURE } from '../../../plugins/adapter.ts'
import type { Kind } from '../../../plugins/kind.ts'

/** Category of a failed adapter call. */
export type FailureReason = 'refused' | 'unauthorized' | 'rate_limited' | 'not_found' | 'unavailable' | 'timeout'

/** Options of an {@link AdapterFailure}, and its cause. */
export interface AdapterFailureOptions extends ErrorOptions {
  /** True if the provider may have received the call, and may have acted on it. */
  readonly wasSent: boolean
  /** Error code, message and wait that the provider named. */
  readonly upstream?: { readonly code?: string; readonly message?: string; readonly retryAfterSeconds?: number }
}

/** Failure of an adapter or of its provider. */
export class AdapterFailure extends Error {
  override readonly name = HOST_FAILURE
  /** Kind of the adapter that was called; API errors use its codes. */
  kind?: Pick<Kind, 'codes'>
  readonly wasSent: boolean
  readonly upstream: NonNullable<AdapterFailureOptions['upstream']>

  constructor(
    readonly reason: FailureReason,
    message: string,
    { wasSent, upstream = {}, ...options }: AdapterFailureOptions,
  ) {
    super(message, options)
    this.wasSent = wasSent
    this.upstream = upstream
  }
}

/** Returns true if the call did not leave, because of a rate limit or an open circuit. Only waiting helps. */
export const isThrottled = ({ reason, wasSent, upstream }: AdapterFailure) =>
  !wasSent && (reason === 'rate_limited' || upstream.code === CIRCUIT_OPEN)

/** Upstream code of a call that an open circuit rejected. */
export const CIRCUIT_OPEN = 'circuit_open'
/** Upstream code of a call that did not leave, since no user has signed in at the provider yet. */
export const NOT_SIGNED_IN = 'not_signed_in'
