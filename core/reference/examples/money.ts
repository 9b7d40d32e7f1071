import { example } from '../../platform/geo/countries/index.ts'
import { exampleId, otherExampleId } from './ids.ts'

const storeId = exampleId('sto')
const plan = {
  name: 'Standard',
  description: 'Up to 500 products and 1,000 orders a month.',
  price: 2900,
  currency: example.currency,
  limits: { products: 500, members: 5, ordersPerMonth: 1000 },
  trialDays: 14,
}
const returnTo = 'https://shop.example/thanks'
const month = { from: '2026-10-01', to: '2026-10-31' }

/** Examples of payments, plans and figures, by schema or operation. */
export const money: Readonly<Record<string, unknown>> = {
  NewCheckout: { language: 'fr', returnTo },
  NewRefund: { amount: 6500, reason: 'The basket arrived broken.' },
  RefundOutcome: { status: 'done' },
  PaymentDecision: { status: 'paid', amount: 6500, reason: 'The transfer is on the bank statement.' },
  PayoutLineAcceptance: { reason: 'The gateway corrected its fee of September.' },
  'carrier.cashConfirm': { batchId: 'SBX-2026-10-15' },
  'carrier.cashReverse': { batchId: 'SBX-2026-10-15' },
  NewPlan: { code: 'standard', ...plan },
  PlanReplacement: plan,
  PlanChange: { price: 3200 },
  PlanChoice: { plan: 'standard' },
  Cancellation: { atOnce: false },
  buyMonthWithIap: { shop: 'app_store', transaction: '2000000812345678' },
  AppStoreNotification: { signedPayload: 'eyJhbGciOiJFUzI1NiIsIng1YyI6W…' },
  GivenSubscription: { plan: 'standard', periodEnd: '2031-01-31T00:00:00.000Z' },
  NewSubscriptionCheckout: { plan: 'standard', language: 'fr', returnTo },
  DuePayment: { language: 'fr', returnTo },
  LorOfStores: { storeIds: [storeId, otherExampleId('sto')], ...month, interval: 'week' },
  LorOfProducts: { productIds: [exampleId('prd'), otherExampleId('prd')], ...month, interval: 'week' },
  FinancialTimelineQuestion: { storeId, ...month, interval: 'day' },
  TimelineQuestion: { storeId, ...month, interval: 'day' },
  OrdersCountQuestion: { storeId, field: 'stateCode', ...month, limit: 10 },
  ConfirmationInsightsQuestion: { storeId, ...month },
  NewView: { productId: exampleId('prd') },
}
