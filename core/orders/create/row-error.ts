import { databaseApiError } from '../../http/errors/envelope.ts'
import { ApiError } from '../../http/errors/errors.ts'
import type { RowError } from '../../http/errors/row-error.model.ts'

/** Error of one row of a batch. Rethrows errors that the row did not cause: an unavailable database, or an unexpected error. */
export function toRowError(error: unknown): RowError {
  const refused = error instanceof ApiError ? error : databaseApiError(error)
  if (!refused || (refused !== error && refused.code === 'unavailable')) throw error
  return presentRowError(refused)
}

/** Error as a row of a batch shows it. */
export const presentRowError = ({ code, message, extra: { details } }: ApiError): RowError => ({
  code,
  message,
  ...(details && details.length > 0 && { details: details.map((detail) => ({ ...detail })) }),
})
