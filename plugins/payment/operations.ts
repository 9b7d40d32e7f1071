import { Type as T } from '@sinclair/typebox'
import { heardConnectionOperations } from '../connection.operations.ts'
import { getOrPost, post } from '../operation.ts'
import { exact, Maybe, Nullable } from '../schema.ts'
import { BegunPayment, NewCheckout } from './payments.model.ts'

/** Operations of payment gateways. */
export const paymentOperations = {
  ...heardConnectionOperations,
  initiate: post({
    paths: ['/v1/orders/:id/payment/:key/initiate'],
    role: 'agent',
    storefront: true,
    needs: ['createCheckout'],
    summary:
      'Initiate the payment of an order and return the page where its customer pays. The amount comes from the order; a repeated request returns the same page',
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
    summary: 'Notification of a payment at an address with the name of the gateway. The server reads the named checkout from the gateway',
    response: exact({ received: Maybe(T.Boolean()) }),
    callback: true,
  }),
}
