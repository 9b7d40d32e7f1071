/** Options of an {@link OutboundError}, and its cause. */
export interface OutboundErrorOptions extends ErrorOptions {
  /** True if the other side may have received the request. */
  readonly wasSent: boolean
}

/** Reason why a request was not sent, or got no usable response. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly wasSent: boolean

  constructor(
    readonly reason: 'refused' | 'unresolved' | 'timeout' | 'connection' | 'too_large',
    message: string,
    { wasSent, ...options }: OutboundErrorOptions,
  ) {
    super(message, options)
    this.wasSent = wasSent
  }
}

const NO_CONNECTION = /^(ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/
const NO_TRUST = /CERT|SIGNATURE|ISSUER|ERR_TLS|ERR_SSL/

/** Converts an error of `fetch` to an {@link OutboundError}. */
export function asOutboundError(error: unknown, deadline: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error
  if (deadline.aborted) return new OutboundError('timeout', 'No answer in time.', { wasSent: true, cause: error })
  const code = String((error as { code?: unknown }).code)
  if (NO_CONNECTION.test(code)) return new OutboundError('connection', 'The connection was refused.', { wasSent: false, cause: error })
  if (NO_TRUST.test(code))
    return new OutboundError('connection', `The certificate cannot be trusted (${code}).`, { wasSent: false, cause: error })
  return new OutboundError('connection', 'The connection broke before an answer came.', { wasSent: true, cause: error })
}
