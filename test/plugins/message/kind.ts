import { Type as T } from '@sinclair/typebox'
import { type AdapterOf, kind } from '../../../plugins/kind.ts'
import { KIB, list, one, requiredMember, streamedResult, webhookOf } from '../../../plugins/member.ts'
import { get, getOrPost, post } from '../../../plugins/operation.ts'
import { exact, oneOf, StorableText } from '../../../plugins/schema.ts'

const Message = exact({ reference: StorableText(64, 1), phone: StorableText(32, 3), text: StorableText(1000, 1) })
const Sent = exact({ id: T.String({ minLength: 1 }), at: T.String() })
export const Delivery = exact({ id: T.String(), state: oneOf(['sent', 'delivered', 'failed']), at: T.String() })

// The types of an adapter, which see this file, know no Bun.
const { dir } = import.meta as unknown as { readonly dir: string }

/** Who brings short messages to telephones: a kind that the host has never heard of. */
export const message = kind({
  name: 'message',
  contract: 3,
  directory: dir,
  tag: 'Messages',
  scopes: { read: 'orders:read', write: 'orders:write' },
  definition: { lettersMax: T.Integer({ minimum: 1, maximum: 1000 }) },
  members: {
    send: requiredMember(one([Message], Sent, { bytes: 4096 })),
    deliveries: list([exact({ state: T.Optional(T.String()) })], Delivery, 100),
    recite: streamedResult([exact({ from: T.String() })], exact({ line: T.String({ maxLength: 1_000 }) }), { bytes: 64 * KIB }),
    'purse.balance': requiredMember(one([], T.Object({ amount: T.Number() }))),
    ...webhookOf(Delivery),
  },
  operations: {
    // A carrier is asked for its parcels at the same address, with another query and for another scope.
    deliveries: getOrPost({
      paths: ['list'],
      role: 'agent',
      needs: ['deliveries'],
      summary: 'Messages that were sent',
      query: T.Object({ state: T.Optional(oneOf(['sent', 'delivered'])) }),
      rows: Delivery,
    }),
    initiate: post({
      paths: ['/v1/orders/:orderId/message/:key/initiate'],
      role: 'agent',
      needs: ['send'],
      summary: 'Tell the customer of an order',
      params: T.Object({ orderId: T.String({ maxLength: 64 }) }),
      body: exact({ text: StorableText(1000, 1) }),
      response: Sent,
      status: 201,
    }),
    balance: get({
      paths: [],
      brand: '/v1/actions/get{Brand}Balance',
      role: 'viewer',
      needs: ['purse.balance'],
      summary: 'What is left to send for',
      response: T.Object({ amount: T.Number() }),
    }),
    arrived: get({
      paths: [],
      brand: '/v1/actions/{brand}Arrived',
      role: 'viewer',
      needs: ['webhook'],
      summary: 'News of the other side',
      response: T.Array(Delivery),
      callback: true,
    }),
  },
  outputFields: { times: ['at'] },
  problems: (adapter) => (adapter.lettersMax === 13 ? ['lettersMax brings bad luck'] : []),
  summary: ({ lettersMax }) => `up to ${lettersMax} letters`,
})

export type MessageAdapter = AdapterOf<typeof message>
