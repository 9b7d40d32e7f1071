import type { Answer, Person, TestApp } from '../../support/app.ts'

export const PLANS = {
  basic: { code: 'basic', name: 'Basic', price: 1000, currency: 'DZD', limits: { products: 2, ordersPerMonth: 5 }, available: true },
  pro: { code: 'pro', name: 'Pro', price: 3000, currency: 'DZD', limits: { products: 10 }, available: true },
  tried: { code: 'tried', name: 'Tried', price: 2000, currency: 'DZD', trialDays: 14, available: true },
  hidden: { code: 'hidden', name: 'Hidden', price: 500, currency: 'DZD', available: false },
} as const

/** Sets up a platform that sells plans, and its administrator. */
export async function sellingPlatform({ call, ok, person, shop }: TestApp, plans: Record<string, object> = PLANS) {
  const admin: Person = await person('The administrator') // the first account administers the platform
  await ok('PUT', '/v1/platform/integrations/sandbox-payment', { as: admin.token, body: { enabled: true, credentials: {}, settings: {} } })
  for (const body of Object.values(plans)) await ok('POST', '/v1/plans', { as: admin.token, body })

  /** A shop, and what its owner asks of its subscription. */
  async function subscriber() {
    const made = await shop()
    const { storeId, owner } = made
    const at = `/v1/stores/${storeId}`
    const ask = (path: string, body?: object, as = owner.token): Promise<Answer> =>
      call('POST', `${at}/${path}`, { as, ...(body && { body }) })
    const read = async () => (await ok('GET', `${at}/integrations/subscription/status`, { as: owner.token })).data
    const list = async (what: 'invoices' | 'payments') =>
      (await ok('GET', `${at}/subscription/${what}?limit=100`, { as: owner.token })).data
    const subscribe = (plan: string) => ask('integrations/subscription/subscribe', { plan })
    const cancel = (body?: object) => ask('integrations/subscription/cancel', body)
    const upgrade = (plan: string) => ask('subscription/upgrade', { plan })
    const checkout = (plan: string, more: object = {}) => ask('subscription/checkout', { plan, ...more })
    const payDue = () => ask('subscription/payDue')
    const activate = () => ask('subscription/activate')
    /** Chosen and paid for. */
    async function on(plan: string) {
      const { body } = await checkout(plan)
      await onPage(body.data.payment.checkoutUrl)
      return read()
    }
    const give = (body: object) => call('PUT', `/v1/admins/stores/${storeId}/subscription`, { as: admin.token, body })
    return { ...made, at, ask, read, list, subscribe, cancel, upgrade, checkout, payDue, activate, on, give }
  }

  /** What a payer's browser does on the page of the sandbox: opens it, and presses a button. */
  async function onPage(checkoutUrl: string, choice = 'pay', amount?: number): Promise<Answer> {
    const { pathname, search } = new URL(checkoutUrl)
    const page = await call('GET', pathname + search)
    const [, checkout] = /data-checkout="([^"]+)"/.exec(page.body) ?? []
    const [, proof] = /data-proof="([^"]+)"/.exec(page.body) ?? []
    return call('POST', pathname + search, { body: { checkout, proof, choice, ...(amount !== undefined && { amount }) } })
  }

  return { admin, subscriber, onPage }
}
export type Subscriber = Awaited<ReturnType<Awaited<ReturnType<typeof sellingPlatform>>['subscriber']>>

/** What does not add up: each invoice that is paid was paid once, and each payment counts once. */
export const differences = async (app: TestApp) => [
  ...(await app.context.sql<{ what: string; id: string }[]>`
  select 'invoice' as what, i.id from subscription_invoices i left join subscription_credits c on c.kind = 'invoice' and c.about = i.id
    group by i.project_id, i.id having (i.status = 'paid') <> (count(c.id) = 1) or coalesce(sum(c.amount), 0) <> case when i.status = 'paid' then -i.total else 0 end
  union all
  select 'payment', p.id from payments p left join subscription_credits c on c.about = p.id where p.payable_kind = 'subscription'
    group by p.project_id, p.id having coalesce(sum(c.amount), 0) <> coalesce(p.paid, 0) - p.refunded
  union all
  select 'credit', project_id from subscription_credits group by project_id having sum(amount) < 0`),
]
