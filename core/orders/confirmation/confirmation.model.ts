import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { RecipientRecord } from '../details/details.model.ts'
import { Order } from '../orders.model.ts'
import { outcomeNames } from './outcomes.ts'

const Words = (what: string) =>
  T.Optional(T.Array(Text(60, 1), { minItems: 1, maxItems: 30, description: `${what}; orders of any, unless said` }))

export const NextCall = named(
  'NextConfirmation',
  exact({
    storeId: T.Optional(Id),
    languages: Words("those that the agent speaks: an order asks for one by its metadata's `language`"),
    skills: Words("what the agent knows about: an order asks for one by its metadata's `skill`"),
  }),
)
export type NextCall = Static<typeof NextCall>

export const Call = named(
  'Confirmation',
  T.Object({
    order: Order,
    recipient: RecipientRecord,
    leasedUntil: Timestamp,
    attempts: T.Integer({ minimum: 0, description: 'calls in a row that came to nothing' }),
    calls: T.Array(
      T.Object({
        outcome: oneOf(outcomeNames),
        reason: T.String(),
        agentId: Id,
        nextTryAt: Nullable(Timestamp),
        createdAt: Timestamp,
      }),
      { description: 'the newest first, twenty at most' },
    ),
  }),
)
export type Call = Static<typeof Call>

export const Release = named(
  'ConfirmationRelease',
  exact({
    storeId: T.Optional(Id),
    orderId: Id,
    outcome: T.Optional(oneOf(outcomeNames, { default: 'given_back', description: '`given_back`: nobody was called' })),
    until: T.Optional({ ...Timestamp, description: 'of `postponed`: when to call again' }),
    reason: T.Optional(Text(500)),
  }),
)
export type Release = Static<typeof Release>

export const Released = named(
  'ReleasedConfirmation',
  T.Object({
    order: Order,
    nextTryAt: Nullable(Timestamp, { description: 'when it is called again; null where it is not' }),
  }),
)
export type Released = Static<typeof Released>
