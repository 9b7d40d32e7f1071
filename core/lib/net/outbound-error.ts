/** Reason why a request was not sent, or got no usable response. `sent` is true if the other side may have received it. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  constructor(
    readonly reason: 'refused' | 'unresolved' | 'timeout' | 'connection' | 'too_large',
    readonly sent: boolean,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

const NO_CONNECTION = /^(ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/
const NO_TRUST = /CERT|SIGNATURE|ISSUER|ERR_TLS|ERR_SSL/

/** Converts an error of `fetch` to an {@link OutboundError}. */
export function asOutboundError(error: unknown, deadline: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error
  if (deadline.aborted) return new OutboundError('timeout', true, 'No answer in time.', { cause: error })
  const code = String((error as { code?: unknown }).code)
  if (NO_CONNECTION.test(code)) return new OutboundError('connection', false, 'The connection was refused.', { cause: error })
  if (NO_TRUST.test(code)) return new OutboundError('connection', false, `The certificate cannot be trusted (${code}).`, { cause: error })
  return new OutboundError('connection', true, 'The connection broke before an answer came.', { cause: error })
}
