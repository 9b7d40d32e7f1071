export const subscriptionStatuses = ['trialing', 'active', 'past_due', 'cancelled', 'expired'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

interface Rule {
  readonly next: readonly SubscriptionStatus[]
  /** Whether the store has the plan that was chosen; else it has the free one. */
  readonly hasPlan: boolean
}

/** The life of a subscription. `past_due`: its period is over, and what the next one costs was not paid yet. */
export const statuses: Readonly<Record<SubscriptionStatus, Rule>> = {
  trialing: { next: ['active', 'past_due', 'cancelled'], hasPlan: true },
  active: { next: ['trialing', 'past_due', 'cancelled'], hasPlan: true },
  past_due: { next: ['active', 'cancelled', 'expired'], hasPlan: true },
  cancelled: { next: ['trialing', 'active'], hasPlan: false },
  expired: { next: ['trialing', 'active'], hasPlan: false },
}

export const withPlan = subscriptionStatuses.filter((status) => statuses[status].hasPlan)

export const invoiceReasons = ['start', 'upgrade', 'renewal', 'extra_orders'] as const
export type InvoiceReason = (typeof invoiceReasons)[number]
