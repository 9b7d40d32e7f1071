/** Value that an error names, and what is wrong with it. `path` is a JSON pointer such as `/body/customer/phone`. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
  /** Values that the message names: who changed something, and when. */
  readonly values?: Readonly<Record<string, string>>
}

/** Code of an error that never reached the server. */
export const OFFLINE = 'offline'

/** Error that the API answered with, or `offline` when there was no answer. */
export class RequestError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly details: readonly ErrorDetail[] = [],
    readonly requestId: string | null = null,
  ) {
    super(message)
  }
}

interface Answer<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/** Returns the body of a successful answer. Throws {@link RequestError} for any other, and when the network fails. */
export async function unwrap<Data>(asked: Promise<Answer<Data>>): Promise<Data> {
  const answer = await asked.catch((cause: unknown) => {
    throw new RequestError(OFFLINE, cause instanceof Error ? cause.message : 'No answer.', 0)
  })
  if (answer.response.ok) return answer.data as Data
  throw errorOf(answer.error, answer.response.status)
}

/** Reads the error of an answer. An answer that is not ours, such as a proxy's page, gets the code `unavailable`. */
export function errorOf(body: unknown, status: number): RequestError {
  const error = isRecord(body) && isRecord(body.error) ? body.error : undefined
  if (!error) return new RequestError('unavailable', `HTTP ${status}`, status)
  const details = Array.isArray(error.details) ? (error.details as ErrorDetail[]) : []
  return new RequestError(String(error.code), String(error.message), status, details, String(error.requestId ?? ''))
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
