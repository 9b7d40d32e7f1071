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

/** A purchase of an app whose money was given back, or was not after all. */
export interface Refunded extends ReceiptKey {
  readonly takenBack: boolean
}

/** How a purchase stands in the credits of its store. */
export const aboutOf = ({ shop, transactionId }: ReceiptKey) => `${shop} ${transactionId}`

/**
 * What a purchase brought is taken from the credit of its store, or given to it again: the plan that it paid for stays until its period ends,
 * and the next money pays for it first. Heard again, nothing more happens. A purchase that nobody has used yet is of no use from then on.
 */
export const takeBack = (sql: Sql, { takenBack, ...receipt }: Refunded): Promise<void> =>
  transaction(sql, async (tx) => {
    const storeId = await (takenBack ? markTakenBack(tx, receipt) : markGivenAgain(tx, receipt))
    if (!storeId || !(await holdStore(tx, storeId))) return
    const sub = await lockSubscription(tx, storeId)
    const about = aboutOf(receipt)
    const brought = await findCreditOf(tx, storeId, about)
    if (!brought) return
    const amount = decimalText(takenBack ? -decimal(brought.amount) : decimal(brought.amount))
    await insertCredit(tx, { storeId, id: newId('scr'), kind: 'refund', amount, currency: brought.currency, about })
    await settle(tx, sub, Date.now())
  })
