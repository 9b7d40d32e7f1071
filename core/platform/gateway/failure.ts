export type FailureReason = 'refused' | 'unauthorized' | 'rate_limited' | 'not_found' | 'unavailable' | 'timeout'

/** Why a carrier did not do it. `sent`: the carrier may have acted all the same. */
export class CarrierFailure extends Error {
  override readonly name = 'CarrierFailure'
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

/** The carrier was not even asked: it takes no more calls now, or has been failing. Waiting is all that helps. */
export const isHeldBack = ({ reason, sent, upstream }: CarrierFailure) =>
  !sent && (reason === 'rate_limited' || upstream.code === CIRCUIT_OPEN)

export const CIRCUIT_OPEN = 'circuit_open'
