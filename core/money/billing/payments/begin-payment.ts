import type { Context } from '../../../context.ts'
import { type Queryable, type Tx, transaction } from '../../../data/sql.ts'
import { notEnabledError, openConnection, type PaymentConnection } from '../../../integrations/connections/connection.ts'
import { notEnabledSentences } from '../../../integrations/connections/connections.errors.ts'
import { listConnections } from '../../../integrations/connections/connections.queries.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import type { PaymentRow } from '../../payments/payments.model.ts'
import { type ClaimedPayment, claimPayment } from '../../payments/start/claim-payment.ts'
import { openCheckout } from '../../payments/start/open-checkout.ts'
import { billingErrors } from '../billing.errors.ts'
import { lockStoreSubscription } from '../periods/save-subscription.ts'
import type { DuePayment } from '../subscriptions.model.ts'
import { findAmountDue } from './due.ts'
import { subscriptionRef } from './subscription-payable.ts'

const CONNECTIONS_MAX = 100

/**
 * Starts a payment of what a store owes at a gateway of the platform, or returns the payment in progress with the same checkout page. Null
 * if nothing is due. Throws `adapter_not_enabled`, `currency_not_supported`, `amount_not_payable`, `too_many_payments`, `outcome_unknown`,
 * and errors of the gateway.
 */
export async function beginPayment(context: Context, store: Store, asked: DuePayment): Promise<PaymentRow | null> {
  const claimed = await transaction(context.sql, (tx) => claimDuePayment(context, tx, store, asked))
  return claimed && openCheckout(context, claimed)
}

/**
 * Claims a payment of what a store owes. Null if nothing is due. Throws `adapter_not_enabled`, `currency_not_supported`,
 * `amount_not_payable`, `too_many_payments`, `outcome_unknown`.
 */
export async function claimDuePayment(context: Context, tx: Tx, store: Store, asked: DuePayment): Promise<ClaimedPayment | null> {
  await lockStoreSubscription(tx, store.id)
  const owed = await findAmountDue(tx, store.id, Date.now())
  if (!owed) return null
  const connection = await chooseGateway(context, tx, asked.gateway, owed.currency)
  return claimPayment(context, tx, subscriptionRef(store.id), connection, owed, asked)
}

/**
 * Returns the named gateway of the platform, or the first one that accepts the currency. A gateway with manual review is used only if it is
 * named.
 */
async function chooseGateway(context: Context, sql: Queryable, key: string | undefined, currency: string): Promise<PaymentConnection> {
  const rows = await listConnections(sql, null, null, CONNECTIONS_MAX)
  const on = rows.filter((row) => row.kind === 'payment' && row.enabled && (key === undefined || row.key === key))
  const there = on
    .filter((row) => context.plugins.find('payment', row.key))
    .map((row) => openConnection(context, 'payment', row))
    .filter(({ mounted }) => key !== undefined || !mounted.adapter.settle)
  if (there.length === 0) throw notEnabledError('payment', notEnabledSentences.gatewayNotOfPlatform)
  const fitting = there.find(({ mounted }) => mounted.adapter.currencies.includes(currency))
  if (!fitting) throw billingErrors.currencyNotSupported({ currency })
  return fitting
}
