import { type Sql, transaction } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { decimal, decimalText } from '../../../lib/money/decimal.ts'
import { settle } from '../periods/settle.ts'
import {
  findCreditOf,
  holdStore,
  insertCredit,
  lockSubscription,
  markGivenAgain,
  markTakenBack,
  type ReceiptKey,
} from '../subscriptions.queries.ts'

/** Refund of an in-app purchase; `takenBack` is false when the refund was reversed. */
export interface Refunded extends ReceiptKey {
  readonly takenBack: boolean
}

/** Returns the key of a purchase in the store's credit entries. */
export const aboutOf = ({ shop, transactionId }: ReceiptKey) => `${shop} ${transactionId}`

/**
 * Applies a refund of an in-app purchase, or its reversal, to the credit of the store that used it. The paid plan stays until its period
 * ends. Repeating the call changes nothing. An unused receipt can no longer be used after a refund.
 */
export const takeBack = (sql: Sql, { takenBack, ...receipt }: Refunded): Promise<void> =>
  transaction(sql, async (tx) => {
    const storeId = await (takenBack ? markTakenBack(tx, receipt) : markGivenAgain(tx, receipt))
    if (!storeId || !(await holdStore(tx, storeId))) return
    const sub = await lockSubscription(tx, storeId)
    const about = aboutOf(receipt)
    const credited = await findCreditOf(tx, storeId, about)
    if (!credited) return
    const amount = decimalText(takenBack ? -decimal(credited.amount) : decimal(credited.amount))
    await insertCredit(tx, { storeId, id: newId('scr'), kind: 'refund', amount, currency: credited.currency, about })
    await settle(tx, sub, Date.now())
  })
