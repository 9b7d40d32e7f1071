import { type Static, Type as T, type TString } from '@sinclair/typebox'
import { exact, Id, named } from '../../http/schema.ts'

/** Limits of tags: of one order, and different ones in a store. */
export const TAG_LIMITS = { perOrder: 20, perStore: 500 } as const

/** Schema of a tag that is added. Has no comma, since lists are filtered by several tags between commas. */
const NewTag = T.String({
  minLength: 1,
  maxLength: 40,
  pattern: '^[^,\\s\\u0000-\\u001f\\u007f]([^,\\u0000-\\u001f\\u007f]*[^,\\s\\u0000-\\u001f\\u007f])?$',
})
/** Schema of a tag that is removed. Earlier versions stored commas and control characters, and some letters take more characters in NFC. */
const StoredTag = T.String({ minLength: 1, maxLength: 120, pattern: '^[^\\u0000]+$' })
const tagsOf = (tag: TString) => T.Optional(T.Array(tag, { maxItems: TAG_LIMITS.perOrder, uniqueItems: true }))

/** Body that adds and removes tags of an order. */
export const OrderTagChange = named(
  'OrderTagChange',
  exact({ add: tagsOf(NewTag), remove: tagsOf(StoredTag) }, { minProperties: 1, description: 'a tag in both is removed' }),
)
/** Type of {@link OrderTagChange}. */
export type OrderTagChange = Static<typeof OrderTagChange>

/** Tags of an order. */
export const OrderTags = named('OrderTags', T.Object({ orderId: Id, tags: T.Array(T.String()) }))
/** Type of {@link OrderTags}. */
export type OrderTags = Static<typeof OrderTags>

/** Tag that orders of a store have. */
export const StoreTag = T.Object({ tag: T.String() })

/** Writes a tag in one way, so that equal ones are equal. */
export const normalizeTag = (tag: string): string => tag.normalize('NFC').replace(/\s+/g, ' ')
