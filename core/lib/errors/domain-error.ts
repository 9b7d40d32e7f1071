import { type ErrorCode, isFaultCode } from './codes.ts'

/** Path of a value in the input of a use case, such as `['items', 2, 'quantity']`. Empty for the input as a whole. */
export type FieldPath = readonly (string | number)[]

/** Problem with one value. */
export interface FieldIssue {
  readonly field: FieldPath
  readonly message: string
  /** Values that the message names, for programs: who changed it, when. */
  readonly values?: Readonly<Record<string, string>>
  /** True when `field` is not part of the input: a row of a file, the answer of an outside platform. */
  readonly isOutside?: true
}

/** Options of a {@link DomainError}. */
export interface DomainErrorOptions {
  /** Value that the message is about. */
  readonly field?: FieldPath
  /** Values that are wrong, each with its own message. */
  readonly issues?: readonly FieldIssue[] | undefined
  /** Seconds after which the caller may try again. */
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/** Error of a use case, in the caller's terms. Knows nothing of the way by which the call came. */
export class DomainError extends Error {
  override readonly name: string = 'DomainError'
  readonly issues: readonly FieldIssue[]
  readonly retryAfterSeconds: number | undefined

  constructor(
    readonly code: ErrorCode,
    message: string,
    { field, issues, retryAfterSeconds, cause }: DomainErrorOptions = {},
  ) {
    super(message, { cause })
    this.issues = issues ?? (field ? [{ field, message }] : [])
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Builds an error whose sentence was made elsewhere: by an adapter, an outside platform or a worker. Sentences of a feature stand in its
 * `<feature>.errors.ts` instead.
 */
export const relayError = (code: ErrorCode, message: string, options?: DomainErrorOptions) => new DomainError(code, message, options)

/** Builds the error for another owner's rows too, so that their existence stays hidden. `what` begins with its article. */
export const notFound = (what: string) => new DomainError('not_found', `${what} was not found.`)

/** Builds the error for one value that cannot be accepted. */
export const invalidField = (field: FieldPath, message: string) => new DomainError('invalid_request', message, { field })

/** Returns true for an error that the caller can correct, unlike a fault of this server or of an outside platform. */
export const isRefusal = (error: unknown): error is DomainError => error instanceof DomainError && !isFaultCode(error.code)

/** Runs work on an input that was built from another one. `fieldOf` maps the fields of its errors to those of the other. */
export async function withFields<V>(fieldOf: (field: FieldPath) => FieldPath, work: () => V | Promise<V>): Promise<V> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { code, message, retryAfterSeconds, cause } = error
    const issues = error.issues.map((issue) => (issue.isOutside ? issue : { ...issue, field: fieldOf(issue.field) }))
    throw new DomainError(code, message, { issues, retryAfterSeconds, cause })
  }
}
