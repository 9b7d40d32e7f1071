import { Type as T } from '@sinclair/typebox'
import { heardConnectionOperations } from '../connection.operations.ts'
import { get } from '../operation.ts'
import { PublicProducts } from './model.ts'

/** What is asked of platforms of shops under their own names; what is asked of a connected shop stands at …/integrations/connectors. */
export const connectorOperations = {
  ...heardConnectionOperations,
  products: get({
    paths: [],
    brand: '/v1/actions/get{Brand}Products',
    role: 'viewer',
    scope: 'products:read',
    needs: ['publicProducts'],
    summary: 'What a shop elsewhere shows to everybody, page by page; nobody has to be connected to it',
    query: T.Object({
      storeId: T.Optional(T.String({ minLength: 1, maxLength: 64, description: 'who looks; a key may leave it out' })),
      url: T.String({ minLength: 1, maxLength: 1000, description: "the shop's host, or any address of it" }),
      page: T.Optional(T.String({ pattern: '^[1-9][0-9]{0,2}$', description: '1 unless said' })),
    }),
    response: PublicProducts,
  }),
}
