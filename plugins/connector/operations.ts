import { Type as T } from '@sinclair/typebox'
import { heardConnectionOperations } from '../connection.operations.ts'
import { get } from '../operation.ts'
import { ShownProducts } from './model.ts'

/** What is asked of platforms of shops under their own names; what is asked of a connected shop stands at …/integrations/connectors. */
const storeId = T.Optional(T.String({ minLength: 1, maxLength: 64, description: 'who looks; a key may leave it out' }))
const page = T.Optional(T.String({ pattern: '^[1-9][0-9]{0,2}$', description: '1 unless said' }))
/** One of them names a shop. */
const named = (url: string, host = 'the same', subdomain = 'the same') => ({
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

export const connectorOperations = {
  ...heardConnectionOperations,
  products: get({
    ...ofBrand,
    needs: ['publicProducts'],
    summary: 'What a shop elsewhere shows to everybody, page by page; nobody has to be connected to it',
    query: T.Object({
      storeId,
      ...named('any address of the shop, or its host', 'its host', 'instead of its host, where the platform gives shops one: `basket`'),
      page,
    }),
  }),
  ownProducts: get({
    ...ofBrand,
    needs: ['ownProducts'],
    summary: "The goods of the store's own shop elsewhere, page by page: its platform shows them to nobody else",
    query: T.Object({
      storeId,
      connectorId: T.Optional(T.String({ minLength: 1, maxLength: 64, description: 'which of several; the first unless said' })),
      ...named('not needed: the shop is that of the connector'),
      page,
    }),
  }),
}
