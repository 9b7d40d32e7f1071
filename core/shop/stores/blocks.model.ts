import { type Static, Type as T } from '@sinclair/typebox'
import { type Asked, listing } from '../../http/list.ts'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'

/** What a store has at once, over or not; what is over is forgotten after so many days. */
export const BLOCKS_MAX = 10_000
export const OVER_KEPT_DAYS = 90
/** The widest networks, in bits: nobody shuts out half the world by a slip. */
export const BITS_LEAST = { 4: 8, 6: 32 } as const

export const blockKinds = ['phone', 'address', 'ip'] as const
const place = {
  country: T.String({ pattern: '^[A-Za-z]{2}$', description: "the store's, unless said" }),
  stateCode: Text(120, 1),
  cityName: Text(120, 1),
  address: T.String({ minLength: 3, maxLength: 500, description: 'compared without accents, marks and spaces' }),
}
const reason = T.String({ maxLength: 500, description: 'for your own people; the customer is not told' })

export const NewBlock = named(
  'NewBlock',
  exact(
    {
      phone: T.Optional(T.String({ minLength: 3, maxLength: 100 })),
      address: T.Optional(exact({ ...place, country: T.Optional(place.country) })),
      ip: T.Optional(
        T.String({
          minLength: 2,
          maxLength: 50,
          description: 'an address, or a network as 203.0.113.0/24; of IPv6 an address stands for its /64',
        }),
      ),
      reason: T.Optional(reason),
      expiresAt: T.Optional(Nullable(Timestamp, { description: 'until then; for good, unless said' })),
    },
    { minProperties: 1, description: 'exactly one of phone, address and ip' },
  ),
)
export type NewBlock = Static<typeof NewBlock>

export const Block = named(
  'Block',
  T.Object({
    id: Id,
    storeId: Id,
    kind: oneOf(blockKinds),
    phone: Nullable(T.String(), { description: 'E.164' }),
    address: Nullable(T.Object(place)),
    ip: Nullable(T.String()),
    reason,
    isActive: T.Boolean({ description: 'false once it is over' }),
    blockedBy: Nullable(T.Object({ userId: Id, name: T.String() }), {
      description: 'null of an API key, and of who has no account any more',
    }),
    expiresAt: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
)
export type Block = Static<typeof Block>

export const blockList = listing({ sorts: null, filters: { kind: oneOf(blockKinds) } })
export type AskedBlocks = Asked<typeof blockList.filters>
