import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { findPerson } from '../../../identity/auth/account.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import { listAdministrators, type PaymentRow } from '../payments/payments.queries.ts'
import { findPlan, listOpen } from '../subscriptions.queries.ts'

async function addresseeOf(tx: Tx, storeId: string) {
  const store = await findStore(tx, storeId)
  const owner = store && (await findPerson(tx, store.ownerId))
  return owner && { store: store.name, to: owner.email }
}

/** Writes to the owner of a store what is to be paid soon, once, where it still is. */
export const tellDue = (context: Context, storeId: string, invoiceId: string): Promise<void> =>
  transaction(context.sql, async (tx) => {
    const invoice = (await listOpen(tx, storeId, Date.now())).find(({ id }) => id === invoiceId)
    const [addressee, plan] = [await addresseeOf(tx, storeId), invoice && (await findPlan(tx, invoice.plan))]
    if (!invoice || !addressee || !plan) return
    const { store, to } = addressee
    const amount = `${Number(invoice.total)} ${invoice.currency}`
    const values = { store, plan: plan.name, amount, dueAt: invoice.dueAt.slice(0, 10) }
    await context.mail.send(tx, { to, template: 'subscription_due', values, once: `due ${invoiceId}` })
  })

export interface OrdersTold {
  readonly plan: string
  readonly limit: number
  readonly used: number
  readonly percent: number
  /** When the period began. */
  readonly since: number
}

/** Writes to the owner of a store how many of its orders of the period are there, once for each part of them. */
export async function tellOrders(
  { mail }: Pick<Context, 'mail'>,
  tx: Tx,
  storeId: string,
  { plan, limit, used, percent, since }: OrdersTold,
): Promise<void> {
  const addressee = await addresseeOf(tx, storeId)
  if (!addressee) return
  const { store, to } = addressee
  const values = { store, plan, used: String(used), limit: String(limit) }
  await mail.send(tx, { to, template: 'plan_orders', values, once: `orders ${storeId} ${since} ${percent}` })
}

/** Writes to all who run this server that a receipt waits for one of them. */
export async function tellReceipt({ mail }: Pick<Context, 'mail'>, tx: Tx, { storeId, id, amount, currency }: PaymentRow): Promise<void> {
  const store = (await findStore(tx, storeId))?.name ?? ''
  const values = { store, amount: `${Number(amount)} ${currency}`, place: `/v1/platform/subscription-payments/${id}/proofs` }
  for (const to of await listAdministrators(tx)) await mail.send(tx, { to, template: 'subscription_receipt', values })
}
