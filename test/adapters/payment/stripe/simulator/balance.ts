import { type Books, currencyOf, feeOf, Refusal, type Session, shownCharge, shownRefund } from './books.ts'
import type { Json } from './form.ts'

export type PayoutStatus = 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled'
export type Reconciled = 'completed' | 'in_progress' | 'not_applicable'

/** One thing that went through the balance of the account. */
export interface Transaction {
  readonly id: string
  readonly type: string
  readonly amount: number
  readonly fee: number
  readonly currency: string
  readonly created: number
  /** What it is of, by its name: a charge, a refund, a dispute, a payout. */
  readonly of: string
  /** What that is, as it is shown; only named where nobody asked for it. */
  readonly source: () => Json | null
  /** The checkout that it is of, and our name of the refund. */
  readonly session: Session | null
  payout: string | null
}

export interface Payout {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly created: number
  readonly arrivalDate: number
  readonly automatic: boolean
  status: PayoutStatus
  reconciliation: Reconciled
  failure: string | null
}

/** What the account earned and lost beside its charges. */
export interface Stray {
  readonly type: string
  readonly amount: number
  readonly fee?: number
  /** What was taken back of it, by a dispute. */
  readonly disputed?: Session
}

const DAY_SECONDS = 86_400
const mark = () => crypto.randomUUID().replaceAll('-', '').slice(0, 24)

/** The balance of the account: what comes in and goes out of it, and what is sent to the bank. */
export function createBalance(books: Books, now: () => number) {
  const transactions: Transaction[] = []
  const payouts: Payout[] = []
  const seconds = () => Math.floor(now() / 1000)

  type New = Pick<Transaction, 'type' | 'amount' | 'fee' | 'currency' | 'of' | 'source' | 'session'>
  const enter = (one: New): Transaction => {
    const entered = { id: `txn_${mark()}`, created: seconds(), payout: null, ...one }
    transactions.push(entered)
    return entered
  }
  const isEntered = (of: string) => transactions.some((one) => one.of === of)

  /** What was paid and given back since it was looked last. */
  function sweep() {
    for (const session of books.all()) {
      const { intent } = session
      const currency = String(currencyOf(session))
      if (!intent || !session.isPaid) continue
      const charge = `ch_${intent.id.slice(3)}`
      const of = { currency, session }
      if (!isEntered(charge)) {
        const source = () => shownCharge(session, intent.id)
        enter({ ...of, type: 'charge', amount: session.amountTotal, fee: feeOf(session), of: charge, source })
      }
      for (const refund of session.refunds) {
        const moved = { ...of, fee: 0, of: refund.id, source: () => shownRefund(session, refund) }
        if (refund.status === 'succeeded' && !isEntered(refund.id)) enter({ ...moved, type: 'refund', amount: -refund.amount })
        const isBack = transactions.some(({ type, of }) => type === 'refund_failure' && of === refund.id)
        if (refund.status === 'failed' && isEntered(refund.id) && !isBack)
          enter({ ...moved, type: 'refund_failure', amount: refund.amount })
      }
    }
  }

  function stray({ type, amount, fee = 0, disputed }: Stray): Transaction {
    const of = `${disputed ? 'dp' : 'fee'}_${mark()}`
    const dispute = () => ({ id: of, object: 'dispute', amount: -amount, payment_intent: disputed?.intent?.id ?? null })
    const currency = String(disputed ? currencyOf(disputed) : 'usd')
    return enter({ type, amount, fee, currency, of, source: disputed ? dispute : () => null, session: disputed ?? null })
  }

  /** All that there is in a currency goes to the bank. One that the shop asked for itself has no lines. */
  function payOut({ currency = 'usd', status = 'paid', automatic = true, more = 0 }: PayoutWish = {}): Payout {
    sweep()
    const owed = transactions.filter((one) => one.payout === null && one.currency === currency && one.type !== 'payout')
    const amount = owed.reduce((sum, one) => sum + one.amount - one.fee, 0) + more
    const payout: Payout = {
      id: `po_${mark()}`,
      amount,
      currency,
      created: seconds(),
      arrivalDate: seconds() + DAY_SECONDS,
      automatic,
      status,
      reconciliation: automatic ? 'completed' : 'not_applicable',
      failure: null,
    }
    payouts.push(payout)
    for (const one of owed) one.payout = payout.id
    const itself = enter({
      type: 'payout',
      amount: -amount,
      fee: 0,
      currency,
      of: payout.id,
      source: () => shownPayout(payout),
      session: null,
    })
    itself.payout = payout.id
    return payout
  }

  /** One that fails, or is called off, puts its money back. */
  function movePayout(id: string, status: PayoutStatus): Payout {
    const payout = getPayout(id)
    const isBack = (one: PayoutStatus) => one === 'failed' || one === 'canceled'
    if (isBack(status) && !isBack(payout.status)) {
      const { amount, currency } = payout
      const type = status === 'failed' ? 'payout_failure' : 'payout_cancel'
      enter({ type, amount, fee: 0, currency, of: id, source: () => shownPayout(payout), session: null })
    }
    return Object.assign(payout, { status, failure: status === 'failed' ? 'The bank account has been closed.' : null })
  }

  function getPayout(id: string): Payout {
    const found = payouts.find((one) => one.id === id)
    if (!found) throw new Refusal(`No such payout: '${id}'`, 'resource_missing', 'payout', 404)
    return found
  }

  /** Of an automatic payout, newest first; of one that is not there, none. */
  function linesOf(id: string): Transaction[] {
    if (payouts.find((one) => one.id === id)?.automatic === false) throw new Refusal('Only automatic payouts tell their transactions.')
    return transactions.filter((one) => one.payout === id).toReversed()
  }

  /** The same goes through the balance once more, which it never should. */
  const again = ({ type, amount, fee, currency, of, source, session }: Transaction) =>
    enter({ type, amount, fee, currency, of, source, session })

  return { payOut, movePayout, stray, again, getPayout, linesOf, payouts: () => payouts.toReversed() }
}
export type Balance = ReturnType<typeof createBalance>

export interface PayoutWish {
  readonly currency?: string
  readonly status?: PayoutStatus
  readonly automatic?: boolean
  /** What it is more than its lines come to. */
  readonly more?: number
}

export const shownPayout = (one: Payout): Json => ({
  id: one.id,
  object: 'payout',
  amount: one.amount,
  currency: one.currency,
  created: one.created,
  arrival_date: one.arrivalDate,
  automatic: one.automatic,
  status: one.status,
  reconciliation_status: one.reconciliation,
  failure_message: one.failure,
  livemode: false,
})

export const shownTransaction = (one: Transaction, { expanded }: { readonly expanded: boolean }): Json => ({
  id: one.id,
  object: 'balance_transaction',
  type: one.type,
  amount: one.amount,
  fee: one.fee,
  net: one.amount - one.fee,
  currency: one.currency,
  created: one.created,
  description: null,
  source: expanded ? one.source() : one.of,
})
