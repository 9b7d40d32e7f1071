import { describeError } from '../../lib/errors/describe-error.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { databaseApiError, fromDomainError } from './envelope.ts'
import type { RowError } from './row-error.model.ts'

/** Converts the error of one row of a batch. Rethrows those that the row did not cause: an unavailable database, or an unexpected error. */
export function toRowError(error: unknown): RowError {
  const refused = error instanceof DomainError ? error : databaseApiError(error)
  if (!refused || (refused !== error && refused.code === 'unavailable')) throw error
  return presentRowError(refused)
}

/** Presents an error as a row of a batch shows it: its message names each wrong field, and its details are those of a request for the row. */
export function presentRowError(error: DomainError): RowError {
  const { code, details = [] } = fromDomainError(error, { method: 'POST' })
  return { code, message: describeError(error), ...(details.length > 0 && { details: details.map((detail) => ({ ...detail })) }) }
}
