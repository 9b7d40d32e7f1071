import { Type as T } from '@sinclair/typebox'
import { heardConnectionOperations } from '../connection.operations.ts'
import { getOrPost, post } from '../operation.ts'
import { exact, Maybe, Nullable } from '../schema.ts'
import { BegunPayment, NewCheckout } from './model.ts'

/** What is asked of gateways. */
export const paymentOperations = {
  ...heardConnectionOperations,
  initiate: post({
    paths: ['/v1/orders/:id/payment/:key/initiate'],
    role: 'agent',
    storefront: true,
    needs: ['createCheckout'],
    summary:
      'Begin to pay an order: answers the page where its customer pays. The amount comes from the order; asked again, the same page is given',
    params: T.Object({ id: T.String({ minLength: 1, maxLength: 64 }) }),
    body: T.Optional(Nullable(NewCheckout)),
    response: BegunPayment,
    status: 201,
  }),
  notified: getOrPost({
    paths: [],
    brand: '/v1/actions/{brand}Webhook',
    role: 'viewer',
    needs: ['createCheckout'],
    summary:
      'News of a payment at an address under the name of the gateway: the gateway is asked what became of the checkout that is named',
    response: exact({ received: Maybe(T.Boolean()) }),
    callback: true,
  }),
}
