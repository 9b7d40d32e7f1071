import { databaseApiError } from '../../http/errors/envelope.ts'
import { ApiError } from '../../http/errors/errors.ts'
import type { RowError } from '../../http/errors/row-error.model.ts'

/** The error of one row of many, told of it alone. Throws what is not the row's doing: that the database is away, or what nobody foresaw. */
export function rowErrorOf(error: unknown): RowError {
  const refused = error instanceof ApiError ? error : databaseApiError(error)
  if (!refused || (refused !== error && refused.code === 'unavailable')) throw error
  return describeError(refused)
}

/** An error as a row shows it. */
export const describeError = ({ code, message, extra: { details } }: ApiError): RowError => ({
  code,
  message,
  ...(details && details.length > 0 && { details: details.map((detail) => ({ ...detail })) }),
})
