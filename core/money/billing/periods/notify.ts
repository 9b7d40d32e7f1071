import type { Context } from '../../../context.ts'
import { storeIdOf } from '../../../data/project-ids.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { findPublicUser } from '../../../identity/auth/account.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import type { PaymentRow } from '../../payments/payments.model.ts'
import { findPlan, listAdministratorEmails, listOpenInvoices } from '../subscriptions.queries.ts'

async function ownerAddressOf(tx: Tx, storeId: string) {
  const store = await findStore(tx, storeId)
  const owner = store && (await findPublicUser(tx, store.ownerId))
  return owner && { store: store.name, to: owner.email }
}

/** Sends the owner of a store one email about an invoice that is due soon, if it is still open. */
export const emailDueInvoice = (context: Context, storeId: string, invoiceId: string): Promise<void> =>
  transaction(context.sql, async (tx) => {
    const invoice = (await listOpenInvoices(tx, storeId, Date.now())).find(({ id }) => id === invoiceId)
    const [addressee, plan] = [await ownerAddressOf(tx, storeId), invoice && (await findPlan(tx, invoice.plan))]
    if (!invoice || !addressee || !plan) return
    const { store, to } = addressee
    const amount = `${Number(invoice.total)} ${invoice.currency}`
    const values = { store, plan: plan.name, amount, dueAt: invoice.dueAt.slice(0, 10) }
    await context.mail.send(tx, { to, template: 'subscription_due', values, once: `due ${invoiceId}` })
  })

/** Usage of a plan's limit of orders in a period. */
export interface OrderUsage {
  readonly plan: string
  readonly limit: number
  readonly used: number
  readonly percent: number
  /** Start of the period in epoch milliseconds. */
  readonly since: number
}

/** Sends the owner of a store one email per threshold of used orders and period. */
export async function emailOrderUsage(
  { mail }: Pick<Context, 'mail'>,
  tx: Tx,
  storeId: string,
  { plan, limit, used, percent, since }: OrderUsage,
): Promise<void> {
  const addressee = await ownerAddressOf(tx, storeId)
  if (!addressee) return
  const { store, to } = addressee
  const values = { store, plan, used: String(used), limit: String(limit) }
  await mail.send(tx, { to, template: 'plan_orders', values, once: `orders ${storeId} ${since} ${percent}` })
}

/** Sends all platform administrators an email about a receipt that waits for review. */
export async function emailWaitingReceipt(
  { mail }: Pick<Context, 'mail'>,
  tx: Tx,
  { projectId, id, amount, currency }: PaymentRow,
): Promise<void> {
  const store = (await findStore(tx, storeIdOf(projectId)))?.name ?? ''
  const values = { store, amount: `${Number(amount)} ${currency}`, place: `/v1/platform/subscription-payments/${id}/proofs` }
  for (const to of await listAdministratorEmails(tx)) await mail.send(tx, { to, template: 'subscription_receipt', values })
}
