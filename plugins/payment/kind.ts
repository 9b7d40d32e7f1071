import { kind } from '../kind.ts'
import { CONTRACT, definition, members, type PaymentAdapter } from './members.ts'
import { paymentOperations } from './operations.ts'

export { CONTRACT, type PaymentAdapter }

/** Kind of payment gateways, through which customers prepay and tenants pay for their plans. */
export const payment = kind({
  name: 'payment',
  contract: CONTRACT,
  directory: import.meta.dir,
  tag: 'Payments',
  owners: ['store', 'platform'],
  scopes: { read: 'orders:read', write: 'orders:write' },
  definition,
  listed: ['currencies', 'minimum', 'refunds'],
  members,
  operations: paymentOperations,
  outputFields: { times: ['at', 'expiresAt', 'madeAt', 'arrivesAt'] },
  problems: (adapter) =>
    (adapter.refunds === undefined) === (adapter.refund === undefined) ? [] : ['refunds and the member refund go together'],
  summary: ({ refunds }) => (refunds ? 'makes refunds' : 'makes no refunds'),
})
