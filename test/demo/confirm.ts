import type { ConfirmationCall, ReleasedCall } from '../../core/orders/confirmation/confirmation.model.ts'
import type { OrderDetails } from '../../core/orders/details/details.model.ts'
import type { Api } from './api.ts'
import type { Check } from './report.ts'
import type { Shop } from './shop.ts'

/** Minimum time until the next call after no answer. */
const AGAIN_MS = 30 * 60_000

interface Agent {
  readonly id: string
  readonly name: string
  readonly token: string
}

/** Lets two agents call the first customers. One customer confirms. The other does not answer, calls back, and is then confirmed. */
export async function confirm(api: Api, shop: Shop, say: (line: string) => void): Promise<readonly Check[]> {
  const { storeId } = shop
  const agents = [await employ(api, shop, 'Karim Haddad'), await employ(api, shop, 'Lina Mansouri')] as const
  const next = ({ token }: Agent) => api.post<ConfirmationCall | null>('/v1/orders/confirmation/next', { as: token, body: { storeId } })
  const release = ({ token }: Agent, call: ConfirmationCall, body: object) =>
    api.post<ReleasedCall>('/v1/orders/confirmation/release', { as: token, body: { storeId, orderId: call.order.id, ...body } })

  const [first, second] = await Promise.all(agents.map(next))
  if (!first || !second) throw new Error('No order waits for confirmation.')
  const began = Date.now()
  const confirmed = await release(agents[0], first, { outcome: 'confirmed' })
  say(`${agents[0].name} called ${first.order.customer.name}: the order is now ${confirmed.order.status}`)
  const unanswered = await release(agents[1], second, { outcome: 'no_answer' })
  say(`${agents[1].name} called ${second.order.customer.name}: no answer, next call at ${unanswered.nextTryAt}`)
  const third = await next(agents[1])
  if (third) await release(agents[1], third, {})

  const called = await api.call('PATCH', `/v1/orders/${second.order.id}`, {
    as: agents[1].token,
    body: { status: 'confirmed', reason: 'the customer called back' },
  })
  const { history } = await api.get<OrderDetails>(`/v1/orders/${second.order.id}`, agents[1].token)
  const refused = await api.call('GET', `/v1/products/export?storeId=${storeId}`, { as: agents[1].token }).catch(({ status }) => status)
  const path = history.map(({ toStatus, by }) => `${toStatus} by ${by.id === agents[1].id ? 'agent' : by.kind}`)
  return [
    { name: 'two agents who request an order at once get different orders', isSo: first.order.id !== second.order.id },
    {
      name: 'an order is confirmed when its customer agrees',
      isSo: confirmed.order.status === 'confirmed' && confirmed.nextTryAt === null,
    },
    {
      name: 'after no answer, no agent gets the order before the next call is due',
      isSo:
        Date.parse(unanswered.nextTryAt ?? '') >= began + AGAIN_MS &&
        third !== null &&
        ![first.order.id, second.order.id].includes(third.order.id),
    },
    {
      name: 'the history of an order names the actor of each change',
      isSo: called.status === 200 && path.join(', ') === 'pending by key, unreachable by agent, confirmed by agent',
    },
    { name: 'agents can do only what their permissions allow', isSo: refused === 403 },
  ]
}

/** Creates an agent who may read and change orders, and nothing else. */
async function employ(api: Api, { owner, storeId }: Shop, name: string): Promise<Agent> {
  const email = `${name.split(' ')[0]?.toLowerCase()}@boutique.example`
  const { user, token } = await api.post<{ user: { id: string }; token: string }>('/v1/users/auth/signup', {
    body: { name, email, password: crypto.randomUUID() },
  })
  await api.post(`/v1/stores/${storeId}/members`, {
    as: owner.token,
    body: { email, role: 'agent', permissions: ['orders:read', 'orders:write'] },
  })
  return { id: user.id, name, token }
}
