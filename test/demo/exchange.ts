import type { OrderReturn } from '../../core/orders/returns/returns.model.ts'
import type { Api } from './api.ts'
import { openBranch } from './branch.ts'
import { sandbox } from './carriers.ts'
import type { Check } from './report.ts'
import type { Shop } from './shop.ts'

interface Product {
  readonly id: string
  readonly name: string
  readonly price: number
  readonly inventoryKey: string
}

/** Exchanges a product in a third store: the courier delivers the new size and takes the first one back. */
export async function exchange(api: Api, { owner }: Shop, say: (line: string) => void): Promise<readonly Check[]> {
  const { storeId, key, product, connect, order, send } = await openBranch(api, owner.token, 'Boutique Amina, shoes')
  const carrier = sandbox()
  await connect(carrier.key, carrier.connection.credentials)
  const sandals = (name: string, price: number) => product<Product>({ name, sku: name, price, initialStock: 10 })
  const [small, large] = [await sandals('Sandals 38', 4_000), await sandals('Sandals 40', 4_200)]
  const onShelf = async () =>
    (await api.get<{ onHand: number }[]>(`/v1/inventory/balances?namespace=main&key=${small.inventoryKey}`, key))[0]?.onHand
  const arrive = async (trackingId: string) => {
    const { headers, body } = carrier.callback([{ trackingId, stage: 'delivered', at: new Date().toISOString() }])
    const address = `${api.origin}/v1/stores/${storeId}/integrations/${carrier.key}/webhook`
    await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
  }

  const first = await order(small.id)
  await arrive((await send(first.id)).trackingId)
  const items = [{ productId: large.id, quantity: 1 }]
  const asked = await api.post<OrderReturn>('/v1/orders/return', {
    as: key,
    body: { orderId: first.id, received: false, exchange: { items } },
  })
  const instead = asked.exchange?.order
  if (!instead) throw new Error('The exchange has no new order.')
  const [parcel, again] = await Promise.all([send(instead.id), send(instead.id)])
  say(`${small.name} for ${large.name}: the courier collects ${parcel.codAmount} DZD and takes the first pair back`)
  await arrive(parcel.trackingId)
  const before = await onShelf()
  const came = await api.post<OrderReturn>(`/v1/orders/${first.id}/returns/${asked.id}/receive`, { as: key, body: {} })
  return [
    {
      name: 'the customer pays the difference for an exchange, which is sent once',
      isSo: parcel.codAmount === large.price - small.price && parcel.trackingId === again.trackingId,
    },
    {
      name: 'returned items are back in stock only after they were received',
      isSo: before === 9 && (await onShelf()) === 10 && came.order.status === 'returned',
    },
  ]
}
