import { scopes } from '../../core/http/auth/scopes.ts'
import type { Product } from '../../core/shop/catalog/products.model.ts'
import type { Api } from './api.ts'
import type { Receiver } from './receiver.ts'
import type { Row } from './sheet.ts'

const STOCK = 150
export const DELIVERY = { home: 600, pickup: 400 }

export interface Shop {
  readonly owner: { readonly email: string; readonly password: string; readonly token: string }
  readonly storeId: string
  readonly key: string
  readonly endpointId: string
  readonly products: ReadonlyMap<string, Product>
}

/** Creates an owner, a store, its project and API key, the products of the spreadsheet, and a webhook endpoint. */
export async function openShop(api: Api, rows: readonly Row[], receiver: Receiver): Promise<Shop> {
  const email = 'amina@boutique.example'
  const password = crypto.randomUUID()
  const { token } = await api.post<{ token: string }>('/v1/users/auth/signup', { body: { name: 'Amina Saadi', email, password } })
  // The demo calls only two customers but sends all orders. A store that calls every customer keeps the default of `sendOnlyConfirmed`.
  const settings = { deliveryPrices: DELIVERY, sendOnlyConfirmed: false, confirmation: { opensAt: '00:00', closesAt: '00:00' } }
  const store = { name: 'Boutique Amina', countryCode: 'DZ', currencyCode: 'DZD', settings }
  const { id: storeId } = await api.post<{ id: string }>('/v1/stores', { as: token, body: store })
  const project = await api.post<{ id: string }>(`/v1/stores/${storeId}/ensure-project`, { as: token })
  const { key } = await api.post<{ key: string }>(`/v1/projects/${project.id}/api-keys`, { as: token, body: { name: 'Demo', scopes } })
  const endpoint = await api.post<{ id: string; secret: string }>('/v1/webhook-endpoints', {
    as: key,
    body: { url: receiver.url, events: ['*'] },
  })
  receiver.believe(endpoint.secret)
  const products = new Map<string, Product>()
  for (const { sku, product: name, unitPrice: price } of rows) {
    if (products.has(sku)) continue
    products.set(sku, await api.post<Product>('/v1/products', { as: token, body: { storeId, name, sku, price, initialStock: STOCK } }))
  }
  return { owner: { email, password, token }, storeId, key, endpointId: endpoint.id, products }
}
