import { type Static, Type as T } from '@sinclair/typebox'
import { languages } from '../../../plugins/payment/model.ts'
import { paymentStatuses } from '../../../plugins/payment/payments.model.ts'
import { exact, Id, Maybe, MONEY_MAX, Nullable, named, oneOf, Sum, Timestamp, WebPage } from '../../http/schema.ts'
import { Currency, PlanLimits, planCode } from './plans/plans.model.ts'
import { invoiceReasons, subscriptionStatuses } from './statuses.ts'

const Signed = (description: string) => T.Number({ minimum: -MONEY_MAX, maximum: MONEY_MAX, description })

/** Subscription of a store in the API format. */
export const Subscription = named(
  'Subscription',
  T.Object({
    storeId: Id,
    plan: T.String({ description: 'the code of the plan that the store has now' }),
    status: oneOf(subscriptionStatuses),
    periodStart: Nullable(Timestamp),
    periodEnd: Nullable(Timestamp, { description: 'null: the plan is free' }),
    nextPlan: Nullable(T.String(), { description: 'plan from the next period on, if it differs' }),
    cancels: T.Boolean({ description: 'whether it ends with its period' }),
    limits: PlanLimits,
  }),
)
/** Type of {@link Subscription}. */
export type Subscription = Static<typeof Subscription>

const lineKinds = ['month', 'rest', 'unused', 'extra_orders'] as const
/** Line of an invoice in the API format. */
export const InvoiceLine = T.Object({
  kind: oneOf(lineKinds, { description: 'what it charges or credits' }),
  plan: T.String(),
  quantity: T.Integer(),
  amount: Sum('of the whole line; negative for a deduction'),
})
/** Type of {@link InvoiceLine}. */
export type InvoiceLine = Static<typeof InvoiceLine>

/** Invoice of a subscription in the API format. */
export const Invoice = named(
  'SubscriptionInvoice',
  T.Object({
    id: Id,
    storeId: Id,
    reason: oneOf(invoiceReasons),
    plan: T.String(),
    status: oneOf(['open', 'paid', 'void']),
    currency: T.String(),
    total: Sum(),
    lines: T.Array(InvoiceLine),
    periodStart: Nullable(Timestamp),
    periodEnd: Nullable(Timestamp),
    dueAt: Timestamp,
    paidAt: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
)
/** Type of {@link Invoice}. */
export type Invoice = Static<typeof Invoice>

const Used = T.Object({ used: T.Integer(), limit: Nullable(T.Integer()) })

/** Subscription with usage, unpaid invoices and credits, in the API format. */
export const SubscriptionReport = named(
  'SubscriptionReport',
  T.Object({
    ...Subscription.properties,
    usage: T.Object({ products: Used, members: Used, domains: Used, ordersPerMonth: Used }),
    dues: T.Array(Invoice, { description: 'open invoices, earliest due date first' }),
    due: Nullable(T.Object({ amount: Sum(), currency: T.String() }), {
      description: 'amount of POST …/subscription/payDue, before rounding up to the step of the gateway',
    }),
    credits: T.Array(
      T.Object({
        currency: T.String(),
        amount: Sum('paid and not spent yet; negative when a spent amount was refunded since'),
      }),
    ),
    inAppAccount: T.String({
      format: 'uuid',
      description: 'identifies the store in in-app purchases: `appAccountToken` of the App Store, `obfuscatedAccountId` of the Play Store',
    }),
  }),
)
/** Type of {@link SubscriptionReport}. */
export type SubscriptionReport = Static<typeof SubscriptionReport>

/** Payment of a subscription in the API format. */
export const SubscriptionPayment = named(
  'SubscriptionPayment',
  T.Object({
    id: Id,
    storeId: Id,
    gateway: T.String(),
    status: oneOf(paymentStatuses),
    amount: Sum(),
    currency: T.String(),
    paid: Nullable(Sum(), { description: 'also null if paid in another currency: a platform administrator adds it as credit' }),
    refunded: Sum(),
    message: Nullable(T.String()),
    checkoutUrl: Nullable(T.String(), { description: 'page where it is paid; null when it has ended' }),
    expiresAt: Nullable(Timestamp),
    paidAt: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
)
/** Type of {@link SubscriptionPayment}. */
export type SubscriptionPayment = Static<typeof SubscriptionPayment>

/** Response of a checkout: the subscription and its payment. */
export const CheckedOut = named(
  'SubscriptionCheckout',
  T.Object({ subscription: Subscription, payment: Nullable(SubscriptionPayment, { description: 'null: nothing is left to pay' }) }),
)

/** Request body that chooses a plan. */
export const PlanChoice = named('PlanChoice', exact({ plan: planCode }))

const paying = {
  gateway: Maybe(
    T.String({ minLength: 1, maxLength: 60, description: 'a gateway of the platform; defaults to the first that accepts the currency' }),
  ),
  language: Maybe(oneOf(languages, { default: 'ar' })),
  returnTo: Maybe(WebPage('the page to which the payer returns')),
}
/** Request body that starts a payment of unpaid invoices. */
export const DuePayment = named('DuePayment', exact(paying))
/** Type of {@link DuePayment}. */
export type DuePayment = Static<typeof DuePayment>
/** Request body that chooses a plan and starts its payment. */
export const NewSubscriptionCheckout = named('NewSubscriptionCheckout', exact({ plan: planCode, ...paying }))
/** Type of {@link NewSubscriptionCheckout}. */
export type NewSubscriptionCheckout = Static<typeof NewSubscriptionCheckout>

/** Request body that cancels a subscription. */
export const Cancellation = named(
  'Cancellation',
  exact({ atOnce: Maybe(T.Boolean({ description: 'cancel now instead of at the end of the period; nothing is refunded' })) }),
)

/** Notification of the App Store. The limit fits its certificates, a transaction and its renewal, each signed. */
export const AppStoreNotification = named(
  'AppStoreNotification',
  T.Object({ signedPayload: T.String({ minLength: 1, maxLength: 65_536, description: 'as the App Store signed it (JWS)' }) }),
)

/** Request body with the proof of an in-app purchase. */
export const InAppPurchase = named(
  'InAppPurchase',
  T.Union([
    exact({
      shop: T.Literal('app_store'),
      transaction: T.String({ minLength: 1, maxLength: 20_000, description: 'the signed transaction (JWS), as StoreKit 2 gives it' }),
    }),
    exact({
      shop: T.Literal('play_store'),
      kind: oneOf(['product', 'subscription']),
      product: T.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._]{0,149}$' }),
      purchaseToken: T.String({ pattern: '^[\\w.~-]{1,1000}$' }),
    }),
  ]),
)
/** Type of {@link InAppPurchase}. */
export type InAppPurchase = Static<typeof InAppPurchase>

/** Request body of an administrator who grants a subscription. */
export const GivenSubscription = named(
  'GivenSubscription',
  exact({
    plan: planCode,
    periodEnd: Maybe(
      Nullable(Timestamp, { description: 'end of the free period, after which the plan must be paid; null or left out: free without end' }),
    ),
    credit: Maybe(
      exact(
        { amount: Signed('may be negative'), currency: Currency },
        { description: 'added to the credit of the store, for payments that a gateway could not report' },
      ),
    ),
  }),
)
/** Type of {@link GivenSubscription}. */
export type GivenSubscription = Static<typeof GivenSubscription>
