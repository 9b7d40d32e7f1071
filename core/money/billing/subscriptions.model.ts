import { type Static, Type as T } from '@sinclair/typebox'
import { languages, paymentStatuses } from '../../../plugins/payment/model.ts'
import { exact, Id, Maybe, MONEY_MAX, Nullable, named, oneOf, Sum, Timestamp, WebPage } from '../../http/schema.ts'
import { Currency, Limits, planCode } from './plans/plans.model.ts'
import { invoiceReasons, subscriptionStatuses } from './statuses.ts'

const Signed = (description: string) => T.Number({ minimum: -MONEY_MAX, maximum: MONEY_MAX, description })

export const Subscription = named(
  'Subscription',
  T.Object({
    storeId: Id,
    plan: T.String({ description: 'the code of the plan that the store has now' }),
    status: oneOf(subscriptionStatuses, { description: '`cancelled` and `expired`: the store has the free plan' }),
    periodStart: Nullable(Timestamp),
    periodEnd: Nullable(Timestamp, { description: 'null: nothing is asked for' }),
    nextPlan: Nullable(T.String(), { description: 'from the next period on, where that is another' }),
    cancels: T.Boolean({ description: 'it ends with its period' }),
    limits: Limits,
  }),
)
export type Subscription = Static<typeof Subscription>

const lineKinds = ['month', 'rest', 'unused', 'extra_orders'] as const
export const InvoiceLine = T.Object({
  kind: oneOf(lineKinds, { description: '`rest` and `unused`: what is left of the period, of the new plan and of the old one' }),
  plan: T.String(),
  quantity: T.Integer(),
  amount: Sum('of the whole line; negative where it is given back'),
})
export type InvoiceLine = Static<typeof InvoiceLine>

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
export type Invoice = Static<typeof Invoice>

const Used = T.Object({ used: T.Integer(), limit: Nullable(T.Integer()) })

export const SubscriptionReport = named(
  'SubscriptionReport',
  T.Object({
    ...Subscription.properties,
    usage: T.Object({ products: Used, members: Used, domains: Used, ordersPerMonth: Used }),
    dues: T.Array(Invoice, { description: 'what is to be paid, what is due first first' }),
    due: Nullable(T.Object({ amount: Sum(), currency: T.String() }), {
      description: 'what POST …/subscription/payDue asks for, rounded up to what the gateway counts in',
    }),
    credits: T.Array(
      T.Object({
        currency: T.String(),
        amount: Sum('what was paid and not spent yet; less than 0 where what was spent was given back since'),
      }),
    ),
    inAppAccount: T.String({
      format: 'uuid',
      description: 'names the store in purchases of apps: `appAccountToken` of the App Store, `obfuscatedAccountId` of the Play Store',
    }),
  }),
)
export type SubscriptionReport = Static<typeof SubscriptionReport>

export const SubscriptionPayment = named(
  'SubscriptionPayment',
  T.Object({
    id: Id,
    storeId: Id,
    gateway: T.String(),
    status: oneOf(paymentStatuses),
    amount: Sum(),
    currency: T.String(),
    paid: Nullable(Sum(), { description: 'null also where it was paid in another currency: an administrator of the platform counts it' }),
    refunded: Sum(),
    message: Nullable(T.String()),
    checkoutUrl: Nullable(T.String(), { description: 'where it is paid; null when that is over' }),
    expiresAt: Nullable(Timestamp),
    paidAt: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
)
export type SubscriptionPayment = Static<typeof SubscriptionPayment>

export const CheckedOut = named(
  'SubscriptionCheckout',
  T.Object({ subscription: Subscription, payment: Nullable(SubscriptionPayment, { description: 'null: nothing is left to pay' }) }),
)

export const PlanChoice = named('PlanChoice', exact({ plan: planCode }))

const paying = {
  gateway: Maybe(
    T.String({ minLength: 1, maxLength: 60, description: "one of the platform's; the first that takes the currency, unless said" }),
  ),
  language: Maybe(oneOf(languages, { default: 'ar' })),
  returnTo: Maybe(WebPage('the page that the payer goes on to')),
}
export const DuePayment = named('DuePayment', exact(paying))
export type DuePayment = Static<typeof DuePayment>
export const NewSubscriptionCheckout = named('NewSubscriptionCheckout', exact({ plan: planCode, ...paying }))
export type NewSubscriptionCheckout = Static<typeof NewSubscriptionCheckout>

export const Cancellation = named(
  'Cancellation',
  exact({ atOnce: Maybe(T.Boolean({ description: 'and not with the period; nothing is given back' })) }),
)

/** The most that a notification of the App Store comes to: its certificates, a transaction and its renewal, each signed. */
export const AppStoreNotification = named(
  'AppStoreNotification',
  T.Object({ signedPayload: T.String({ minLength: 1, maxLength: 65_536, description: 'as the App Store signed it (JWS)' }) }),
)

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
export type InAppPurchase = Static<typeof InAppPurchase>

export const GivenSubscription = named(
  'GivenSubscription',
  exact({
    plan: planCode,
    periodEnd: Maybe(Nullable(Timestamp, { description: 'from then on the plan is asked for; null or left out: it goes on for nothing' })),
    credit: Maybe(
      exact(
        { amount: Signed('may be negative'), currency: Currency },
        { description: 'put to what the store paid, for what a gateway could not say' },
      ),
    ),
  }),
)
export type GivenSubscription = Static<typeof GivenSubscription>
