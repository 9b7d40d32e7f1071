import { scopes } from '../../core/http/auth/scopes.ts'
import type { Order } from '../../core/orders/orders.model.ts'
import type { Api } from './api.ts'

/** Creates another store of the same owner, with one customer in Oran. */
export async function openBranch(api: Api, token: string, name: string) {
  const { id: storeId } = await api.post<{ id: string }>('/v1/stores', {
    as: token,
    body: { name, countryCode: 'DZ', currencyCode: 'DZD' },
  })
  const project = await api.post<{ id: string }>(`/v1/stores/${storeId}/ensure-project`, { as: token })
  const { key } = await api.post<{ key: string }>(`/v1/projects/${project.id}/api-keys`, { as: token, body: { name, scopes } })
  return {
    storeId,
    key,
    product: <P extends { id: string }>(product: { name: string; sku: string; price: number; initialStock: number }) =>
      api.post<P>('/v1/products', { as: key, body: { storeId, ...product } }),
    connect: (adapter: string, credentials: object) =>
      api.put(`/v1/stores/${storeId}/integrations/${adapter}`, { as: token, body: { enabled: true, credentials, settings: {} } }),
    order: (productId: string) =>
      api.post<Order>('/v1/orders', {
        as: key,
        body: {
          storeId,
          customer: { name: 'Lina Brahimi', phone: '0661234567' },
          destination: { country: 'DZ', stateCode: '31', cityName: 'Oran', address: 'Rue des Jardins', deliveryType: 'home' },
          items: [{ productId, quantity: 1 }],
        },
      }),
    /** Sends an order with the sandbox carrier. */
    send: async (orderId: string) =>
      (
        await api.post<{ parcel: { codAmount: number; trackingId: string } }>(
          `/v1/stores/${storeId}/orders/${orderId}/carriers/sandbox/send`,
          { as: key },
        )
      ).parcel,
  }
}
