import { Type as T } from '@sinclair/typebox'
import { heardConnectionOperations } from '../connection.operations.ts'
import { get } from '../operation.ts'
import { ShownProducts } from './products.model.ts'

const storeId = T.Optional(T.String({ minLength: 1, maxLength: 64, description: 'the reading store; optional for API keys' }))
const page = T.Optional(T.String({ pattern: '^[1-9][0-9]{0,2}$', description: '1 by default' }))
/** Query parameters of which one must identify the shop. */
const shopParameters = (url: string, host = 'see url', subdomain = 'see url') => ({
  url: T.Optional(T.String({ minLength: 1, maxLength: 1000, description: url })),
  host: T.Optional(T.String({ minLength: 1, maxLength: 253, description: host })),
  subdomain: T.Optional(T.String({ minLength: 1, maxLength: 63, description: subdomain })),
})
const ofBrand = {
  paths: [],
  brand: '/v1/actions/get{Brand}Products',
  role: 'viewer',
  scope: 'products:read',
  response: ShownProducts,
} as const

/** Operations of shop platforms under their own names. Operations of a connected shop are below …/integrations/connectors. */
export const connectorOperations = {
  ...heardConnectionOperations,
  products: get({
    ...ofBrand,
    needs: ['publicProducts'],
    summary: 'Public products of any shop on the platform, page by page; no connection is needed',
    query: T.Object({
      storeId,
      ...shopParameters('any address of the shop, or its host', 'its host', 'its subdomain, if the platform gives shops one: `basket`'),
      page,
    }),
  }),
  ownProducts: get({
    ...ofBrand,
    needs: ['ownProducts'],
    summary: "Products of the store's connected shop, page by page, for platforms that do not show them publicly",
    query: T.Object({
      storeId,
      connectorId: T.Optional(T.String({ minLength: 1, maxLength: 64, description: 'which of several connections; the first by default' })),
      ...shopParameters('not needed: the shop is that of the connector'),
      page,
    }),
  }),
}
