import { type Static, Type as T } from '@sinclair/typebox'
import { defineList, type ListQuery } from '../../../http/resource/list.ts'
import { exact, Id, Nullable, named, oneField, oneOf, stated, Text, Timestamp } from '../../../http/schema.ts'

/** Blocks of one store, expired ones included. */
export const BLOCKS_MAX = 10_000
/** Days after which an expired block is deleted. */
export const EXPIRED_BLOCKS_KEPT_DAYS = 90
/** Shortest network prefixes in bits, by IP version. They prevent a block of half the internet by mistake. */
export const PREFIX_BITS_MIN = { 4: 8, 6: 32 } as const

/** Kinds of blocks, by what they match. */
const blockKinds = ['phone', 'address', 'ip'] as const
const placeFields = {
  country: T.String({ pattern: '^[A-Za-z]{2}$', description: 'default: the country of the store' }),
  stateCode: Text(120, 1),
  cityName: Text(120, 1),
  address: T.String({ minLength: 3, maxLength: 500, description: 'compared without accents, marks and spaces' }),
}
const reason = T.String({ maxLength: 500, description: 'shown to members of the store, and never to the customer' })

const BYTE = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const V4 = `(${BYTE}\\.){3}${BYTE}`
const GROUP = '[0-9A-Fa-f]{1,4}'
/** An IPv6 address with as many groups on each side of its gap as there may be. */
const V6 = `((${GROUP}:){7}${GROUP}|(${GROUP}:){1,7}:|${[1, 2, 3, 4, 5, 6].map((after) => `(${GROUP}:){1,${7 - after}}(:${GROUP}){1,${after}}`).join('|')}|:(:${GROUP}){1,7}|::)`

/** Body that blocks customers. */
export const NewBlock = named(
  'NewBlock',
  stated(
    exact(
      {
        phone: T.Optional(T.String({ minLength: 3, maxLength: 100 })),
        address: T.Optional(exact({ ...placeFields, country: T.Optional(placeFields.country) })),
        ip: T.Optional(
          stated(
            T.String({
              minLength: 2,
              maxLength: 50,
              description: 'an address, or a network as 203.0.113.0/24; of IPv6 an address stands for its /64',
            }),
            { pattern: `^(${V4}(/(1[6-9]|2\\d|3[0-2]))?|${V6}(/(3[2-9]|[4-9]\\d|1[01]\\d|12[0-8]))?)$` },
          ),
        ),
        reason: T.Optional(reason),
        expiresAt: T.Optional(Nullable(Timestamp, { description: 'until then; for good, unless said' })),
      },
      { minProperties: 1, description: 'exactly one of phone, address and ip' },
    ),
    oneField('phone', 'address', 'ip'),
  ),
)
/** Type of {@link NewBlock}. */
export type NewBlock = Static<typeof NewBlock>

/** Block of a phone number, an address or a network. */
export const Block = named(
  'Block',
  T.Object({
    id: Id,
    storeId: Id,
    kind: oneOf(blockKinds),
    phone: Nullable(T.String(), { description: 'E.164' }),
    address: Nullable(T.Object(placeFields)),
    ip: Nullable(T.String()),
    reason,
    isActive: T.Boolean({ description: 'false once it has expired' }),
    blockedBy: Nullable(T.Object({ userId: Id, name: T.String() }), {
      description: 'null for an API key, and for a deleted account',
    }),
    expiresAt: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
)
/** Type of {@link Block}. */
export type Block = Static<typeof Block>

/** Filters of the list of blocks. */
export const blockList = defineList({
  sorts: null,
  filters: {
    kind: oneOf(blockKinds),
    phone: T.String({ minLength: 3, maxLength: 100, description: "a blocked number, as written in the store's country" }),
  },
})
/** Parsed filters and page of {@link blockList}. */
export type BlockListRequest = ListQuery<typeof blockList.filters>
