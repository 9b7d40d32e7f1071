import { type Queryable, type Sql, transaction } from '../../../data/sql.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import type { CallOutcome } from '../../details/calls.model.ts'
import { confirmationErrors } from '../confirmation.errors.ts'
import { type CallReason, type CallReasons, standardReasons } from './reasons.model.ts'
import { deleteReasons, findReasons, lockReasons, upsertReasons } from './reasons.queries.ts'

/** Returns the reasons of a store: its own, or the standard ones. */
export async function readReasons(sql: Queryable, { projectId }: Pick<Store, 'projectId'>): Promise<CallReasons> {
  const own = await findReasons(sql, projectId)
  return { reasons: [...(own ?? standardReasons)], isStandard: own === undefined }
}

/** Replaces the reasons of a store. Null restores the standard ones. Throws `invalid_request` for a repeated code. */
export function replaceReasons(sql: Sql, store: Store, reasons: readonly CallReason[] | null): Promise<CallReasons> {
  const codes = reasons?.map(({ code }) => code) ?? []
  const repeated = codes.findIndex((code, at) => codes.indexOf(code) < at)
  if (repeated >= 0) throw confirmationErrors.reasonRepeated({ field: ['reasons', repeated, 'code'] })
  const { projectId } = store
  return transaction(sql, async (tx) => {
    await lockReasons(tx, projectId)
    const before = await readReasons(tx, store)
    await (reasons ? upsertReasons(tx, projectId, reasons) : deleteReasons(tx, projectId))
    const after = await readReasons(tx, store)
    await recordAudit(tx, { projectId }, { what: 'confirmation.reasons_changed', thing: store.id, before, after })
    return after
  })
}

/** Returns the reason of a store with this code for the outcome. Throws `invalid_request` where there is none. */
export async function findReason(sql: Queryable, store: Store, code: string, outcome: CallOutcome): Promise<CallReason> {
  const { reasons } = await readReasons(sql, store)
  const found = reasons.find((reason) => reason.code === code && reason.outcomes.includes(outcome))
  if (!found) throw confirmationErrors.reasonUnknown({ field: ['reasonCode'] })
  return found
}
