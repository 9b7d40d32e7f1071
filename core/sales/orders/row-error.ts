import type { Static } from '@sinclair/typebox'
import { fromDatabase } from '../../http/envelope.ts'
import { ApiError } from '../../http/errors.ts'
import type { RowError } from './batch-update.model.ts'

/** What one row of many is refused for, which is told of it alone. Throws what is none of its doing: that the database is away, or what nobody foresaw. */
export function rowErrorOf(error: unknown): Static<typeof RowError> {
  const refused = error instanceof ApiError ? error : fromDatabase(error)
  if (!refused || (refused !== error && refused.code === 'unavailable')) throw error
  return { code: refused.code, message: refused.message }
}
