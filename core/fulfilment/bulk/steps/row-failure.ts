import type { Context } from '../../../context.ts'
import { isConnectionError } from '../../../data/database/database.ts'
import { presentRowError, toRowError } from '../../../http/errors/row-error.ts'
import type { DomainError } from '../../../lib/errors/domain-error.ts'
import { bulkErrors } from '../bulk.errors.ts'
import type { JobRowResult } from '../rows.queries.ts'

/** Result of an order that is refused. */
export const refusedWith = (error: DomainError): JobRowResult => ({ status: 'failed', error: presentRowError(error) })

/**
 * Converts the error of one order to its result. An unexpected one is logged and also becomes a result, because it would otherwise stop all
 * other orders of the job. Rethrows when the database is away: the job is then repeated.
 */
export function failureOf({ log }: Pick<Context, 'log'>, error: unknown, orderId: string): JobRowResult {
  if (isConnectionError(error)) throw error
  try {
    return { status: 'failed', error: toRowError(error) }
  } catch (err) {
    log.error({ err, orderId }, 'an order of a job met an unexpected error')
    return refusedWith(bulkErrors.jobFault())
  }
}
