/** Statuses of a subscription. */
export const subscriptionStatuses = ['trialing', 'active', 'past_due', 'cancelled', 'expired'] as const
/** One of {@link subscriptionStatuses}. */
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

interface Rule {
  readonly next: readonly SubscriptionStatus[]
  /** True when the store has its chosen plan, false when it has the free plan. */
  readonly hasPlan: boolean
}

/** State table of subscriptions. In `past_due` the period has ended and the next one is not paid yet. */
export const statusRules: Readonly<Record<SubscriptionStatus, Rule>> = {
  trialing: { next: ['active', 'past_due', 'cancelled'], hasPlan: true },
  active: { next: ['trialing', 'past_due', 'cancelled'], hasPlan: true },
  past_due: { next: ['active', 'cancelled', 'expired'], hasPlan: true },
  cancelled: { next: ['trialing', 'active'], hasPlan: false },
  expired: { next: ['trialing', 'active'], hasPlan: false },
}

/** Statuses in which the store has its chosen plan. */
export const statusesWithPlan = subscriptionStatuses.filter((status) => statusRules[status].hasPlan)

/** Reasons for an invoice. */
export const invoiceReasons = ['start', 'upgrade', 'renewal', 'extra_orders'] as const
/** One of {@link invoiceReasons}. */
export type InvoiceReason = (typeof invoiceReasons)[number]
