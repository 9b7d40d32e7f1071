import { Type as T } from '@sinclair/typebox'
import { Id, Metadata, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'
import { Slug } from '../../catalog/categories/categories.model.ts'

const CONTENT_MAX = 256 * 1024
export const PAGES_MAX = 1_000

export const PageFields = named(
  'PageFields',
  T.Object({
    title: Text(200, 1),
    slug: Slug,
    format: T.Optional(oneOf(['html', 'markdown'], { description: 'html unless said' })),
    content: T.Optional(Text(CONTENT_MAX, 0)),
    metadata: T.Optional(Metadata),
    published: T.Optional(T.Boolean({ description: 'whether anybody may read it; off unless said' })),
  }),
)

/** A page as anybody reads it. */
export const PublicPage = named(
  'PublicPage',
  T.Object({
    id: Id,
    storeId: Id,
    ...T.Required(T.Omit(PageFields, ['published', 'metadata'])).properties,
    updatedAt: Timestamp,
  }),
)

export const ViewQuery = T.Object({
  storeId: T.Optional(Id),
  store: T.Optional(T.String({ minLength: 1, maxLength: 63, description: "the store's slug, in place of its id" })),
})
